"""fabric verify: check devices against the design. Reads, and sends a little traffic."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.files import intent_file
from fabric.cli.options import (
    Access,
    Against,
    Debug,
    File,
    Format,
    Jobs,
    Limit,
    NoColor,
    Output,
    Record,
    ask,
    put_out,
    report,
)
from fabric.cli.progress import watching
from fabric.cli.talk import tell
from fabric.results import ExitCode

Strict = Annotated[bool, typer.Option("--strict", help="Whatever could not be looked at counts as failed.")]


def command(
    file: File = None,
    limit: Limit = None,
    strict: Strict = False,
    record: Record = None,
    against: Against = None,
    jobs: Jobs = 32,
    access: Access = None,
    format: Format = "table",  # noqa: A002  # the option's name
    output: Output = None,
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Prove on the devices that the fabric is what the design says."""
    del debug
    from fabric.workflows.site import Choice, site

    choice = Choice(intent_file(file), limit, frozenset(), jobs, access, against, record)
    with watching(ask, no_color=no_color) as asking:
        chosen = site(choice, tell, asking)
        found = chosen.verify()
    put_out(report(format, no_color=no_color, output=output).verification(chosen.prepared.design, found), output)
    return ExitCode.FAILED if found.failed(strict=strict) else ExitCode.DONE

"""fabric plan: read devices and show what an apply would change. Writes nothing to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli.files import file_to_write, intent_file
from fabric.cli.options import (
    Access,
    Against,
    Debug,
    File,
    Format,
    Jobs,
    Limit,
    NoColor,
    Only,
    Output,
    Record,
    ask,
    facets,
    put_out,
    report,
)
from fabric.cli.progress import watching
from fabric.cli.talk import tell
from fabric.results import ExitCode

Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep the plan in this file, for apply.", show_default=False, callback=file_to_write),
]
Detailed = Annotated[bool, typer.Option("--detailed-exitcode", help="Exit 2 when there are changes.")]


def command(
    file: File = None,
    out: Out = None,
    record: Record = None,
    against: Against = None,
    limit: Limit = None,
    only: Only = None,
    jobs: Jobs = 32,
    access: Access = None,
    format: Format = "table",  # noqa: A002  # the option's name
    output: Output = None,
    no_color: NoColor = False,
    detailed_exitcode: Detailed = False,
    debug: Debug = False,
) -> int:
    """Show what an apply would change, in which waves."""
    del debug
    from fabric.workflows.site import Choice, site

    choice = Choice(intent_file(file), limit, facets(only), jobs, access, against, record)
    with watching(ask, no_color=no_color) as asking:
        found = site(choice, tell, asking)
        made = found.plan()
    put_out(
        report(format, no_color=no_color, output=output).plan(found.prepared.design, made, found.file, choice.only),
        output,
    )
    if out is not None:
        found.keep_plan(made, out)
        tell(f"plan kept in {out}")
    if made.unreached:
        return ExitCode.DEVICE
    return ExitCode.PENDING if made.changes and detailed_exitcode else ExitCode.DONE

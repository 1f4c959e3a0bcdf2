"""fabric show: the design, or one node of it. Touches no device."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.options import Debug, FileOption, Format, NoColor, Output, intent_file, put_out, report
from fabric.cli.talk import tell
from fabric.errors import UsageError
from fabric.results import ExitCode

Name = Annotated[str | None, typer.Argument(help="A node; without it the whole design.", show_default=False)]
Why = Annotated[bool, typer.Option("--why", help="Where each value comes from: formula and place in the file.")]


def command(
    node: Name = None,
    file: FileOption = None,
    why: Why = False,
    format: Format = "table",  # noqa: A002  # the option's name
    output: Output = None,
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Show nodes, links, addresses, AS numbers, classes and queues as designed."""
    del debug
    from fabric.workflows.prepare import known_node, prepare

    if why and node is None:
        raise UsageError("--why wants a node", hint="fabric show leaf01 --why")
    prepared = prepare(intent_file(file))
    if prepared.errors:
        tell(f"{len(prepared.errors)} rules are not met: `fabric validate` says which")
    design = prepared.design
    made = report(format, no_color=no_color)
    put_out(made.node(design, known_node(design, node), why=why) if node else made.design(design), output)
    return ExitCode.DONE

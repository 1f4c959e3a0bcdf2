"""fabric show: the design, or one node of it. Touches no device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli.completion import complete_node
from fabric.cli.files import folder_to_fill, intent_file
from fabric.cli.options import Debug, FileOption, Format, NoColor, Output, put_out, report
from fabric.cli.talk import tell
from fabric.errors import UsageError
from fabric.results import ExitCode

Name = Annotated[
    str | None,
    typer.Argument(help="A node; without it the whole design.", show_default=False, autocompletion=complete_node),
]
Class = Annotated[
    str | None,
    typer.Option("--class", help="One traffic class: where its queues mark.", show_default=False),
]
All = Annotated[bool, typer.Option("--all", help="Every node and every cable, not equals in one row.")]
Csv = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        help="Write nodes.csv and cables.csv there, which pin all of it.",
        show_default=False,
        callback=folder_to_fill,
    ),
]
Why = Annotated[bool, typer.Option("--why", help="Where each value comes from: formula and place in the file.")]


def command(
    node: Name = None,
    file: FileOption = None,
    why: Why = False,
    class_: Class = None,
    all: All = False,  # noqa: A002  # the option's name
    csv: Csv = None,
    format: Format = "table",  # noqa: A002  # the option's name
    output: Output = None,
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Show nodes, cables, addresses, classes and settings as designed."""
    del debug
    from fabric.workflows.prepare import known_class, known_node, prepare

    if class_ is not None and (node is not None or all or csv is not None):
        raise UsageError("--class is for one class of the whole design", hint=f"fabric show --class {class_}")
    if why and node is None and class_ is None:
        raise UsageError(
            "--why wants a node or a class", hint="fabric show leaf01 --why, fabric show --class rdma --why"
        )
    if node is not None and (all or csv is not None):
        raise UsageError("--all and --csv are for the whole design", hint=f"fabric show {node}, or fabric show --all")
    prepared = prepare(intent_file(file))
    if unmet := {found.rule for found in prepared.errors}:
        tell(f"{'1 rule is' if len(unmet) == 1 else f'{len(unmet)} rules are'} not met: `fabric validate` says which")
    design = prepared.design
    if csv is not None:
        from fabric.workflows.listing import write

        put_out("\n".join(f"written: {path}" for path in write(design, csv)))
        tell("next: `nodes: {file: nodes.csv}` and `topology.cables: [{file: cables.csv}]` in the file pin them")
        return ExitCode.DONE
    made = report(format, no_color=no_color, output=output)
    if class_ is not None:
        from fabric.report.class_view import class_view

        text = made.traffic_class(design, class_view(design, known_class(design, class_)), why=why)
    elif node is not None:
        text = made.node(design, known_node(design, node), why=why)
    else:
        text = (made.listing if all else made.design)(design, prepared.waived)
    put_out(text, output)
    return ExitCode.DONE

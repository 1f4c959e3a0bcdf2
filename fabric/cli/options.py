"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli.completion import complete_facets, complete_format, complete_limit, complete_rules
from fabric.cli.files import file_to_write, folder_to_fill
from fabric.errors import UsageError

if TYPE_CHECKING:
    from fabric.report.style import Report


def _debug(value: bool) -> bool:
    if value:
        os.environ["FABRIC_DEBUG"] = "1"
    return value


_FILE_HELP = "A fabric.yaml or its folder; default: $FABRIC_FILE, then ./fabric.yaml."

File = Annotated[Path | None, typer.Argument(help=_FILE_HELP, show_default=False)]
FileOption = Annotated[Path | None, typer.Option("-f", "--file", help=_FILE_HELP, show_default=False)]
Limit = Annotated[
    str | None,
    typer.Option(
        "--limit",
        help="Only these nodes: leaf*,role:gpu,rail:3.",
        show_default=False,
        autocompletion=complete_limit,
    ),
]
Only = Annotated[
    str | None,
    typer.Option("--only", help="Only these facets: links,bgp.", show_default=False, autocompletion=complete_facets),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, max=256, help="How many devices at the same time.")]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="table, json or html; for verdicts also junit, sarif or md.",
        autocompletion=complete_format,
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        help="Judge by these rules only, by ids or patterns: links.mtu,ecn.*; may be given again.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        help="Leave these rules out, whatever --select says; may be given again.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
Rules = Annotated[
    list[Path] | None,
    typer.Option(
        "--rules",
        help="A folder with rules of your own, FOLDER/<group>/<rule>.py: their code is run.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", help="Write there instead of to stdout.", show_default=False, callback=file_to_write
    ),
]
Record = Annotated[
    Path | None,
    typer.Option("--record", help="Keep what was read in this folder.", show_default=False, callback=folder_to_fill),
]
Against = Annotated[
    Path | None,
    typer.Option("--against", help="Read such a recording instead of devices.", show_default=False),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours (NO_COLOR does the same).")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the full trace of an error.", callback=_debug)]
Access = Annotated[
    Path | None, typer.Option("--access", help="How devices are reached, instead of the intent's.", show_default=False)
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def listed(given: list[str] | None) -> tuple[str, ...]:
    """Return the entries of an option that may be given again, each a list with commas."""
    return tuple(entry.strip() for each in given or () for entry in each.split(",") if entry.strip())


def facets(only: str | None) -> frozenset[str]:
    """Return the facets that ``--only`` names; UsageError for a name that is no facet."""
    if not only:
        return frozenset()
    from fabric.settings.known import FACETS

    wanted = frozenset(name.strip() for name in only.split(",") if name.strip())
    if unknown := sorted(wanted - FACETS):
        raise UsageError(f"--only: no facet {', '.join(unknown)}", hint=f"facets: {', '.join(sorted(FACETS))}")
    return wanted


def report(format_: str, *, no_color: bool = False, output: Path | None = None) -> Report:
    """Return the report of a format; UsageError when there is none of this name.

    Only a terminal gets colours and tables that fold into its columns; a pipe and a file get neither.
    """
    from fabric.report.style import report as find

    terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    color = terminal and not no_color and "NO_COLOR" not in os.environ
    return find(format_, color=color, width=shutil.get_terminal_size().columns if terminal else 0)


def put_out(text: str, output: Path | None = None) -> None:
    """Write data to stdout, or to the file given; UsageError when stdout is closed.

    A reader that went away (``fabric validate | head``) has seen enough: the command goes on, and ends as it would.
    """
    if output is None and sys.stdout is None:
        raise UsageError("stdout is closed: there is nowhere to write to", hint="give a file with -o, or > /dev/null")
    if output is None:
        try:
            typer.echo(text, nl=not text.endswith("\n"))
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        from fabric.places import put_whole

        put_whole(output, text if text.endswith("\n") else f"{text}\n")


def confirmed(question: str, *, yes: bool) -> bool:
    """Ask a yes-or-no question; UsageError without a terminal and without ``--yes``."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("a question needs a terminal", hint="answer it beforehand with --yes")
    return typer.confirm(question, err=True)


def ask(question: str) -> str:
    """Ask for a secret on the terminal; UsageError without one."""
    if not sys.stdin.isatty():
        raise UsageError(f"{question}: a question needs a terminal", hint="use an agent, a key, or the environment")
    return str(typer.prompt(question, hide_input=True, err=True))

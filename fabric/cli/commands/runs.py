"""fabric runs: the journal. Touches no device."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.completion import complete_run
from fabric.cli.options import Debug, Format, NoColor, put_out, report
from fabric.cli.talk import tell
from fabric.results import ExitCode

RunId = Annotated[
    str | None,
    typer.Argument(
        help="Show this run with its nodes.", metavar="RUN", autocompletion=complete_run, show_default=False
    ),
]


def command(
    run: RunId = None,
    format: Format = "table",  # noqa: A002  # the option's name
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """List what was applied and rolled back, and how each run ended."""
    del debug
    from fabric.workflows.journal import Journal

    journal = Journal()
    made = report(format, no_color=no_color)
    if run:
        put_out(made.run(journal.get(run)))
        return ExitCode.DONE
    every = journal.all()
    put_out(made.runs(every))
    if not every:
        tell("nothing was applied from this machine yet")
    return ExitCode.DONE

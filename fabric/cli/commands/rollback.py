"""fabric rollback: undo a run. Writes to devices."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.completion import complete_run
from fabric.cli.options import (
    Access,
    Debug,
    Format,
    Jobs,
    NoColor,
    Yes,
    ask,
    confirmed,
    put_out,
    report,
)
from fabric.cli.progress import watching
from fabric.cli.talk import tell
from fabric.results import ExitCode

RunId = Annotated[
    str, typer.Argument(help="The run to undo, as `fabric runs` names it.", metavar="RUN", autocompletion=complete_run)
]


def command(
    run: RunId,
    yes: Yes = False,
    jobs: Jobs = 32,
    access: Access = None,
    format: Format = "table",  # noqa: A002  # the option's name
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Bring every node that a run changed back to what it was before."""
    del debug
    from fabric.workflows.apply import exit_code
    from fabric.workflows.conduct import Manner
    from fabric.workflows.site import Choice, of_run

    with watching(ask, no_color=no_color) as asking:
        found = of_run(run, Choice(jobs=jobs, access=access), tell, asking)
        if not confirmed(f"Undo run {run}?", yes=yes):
            tell("nothing was changed")
            return ExitCode.DONE
        undone = found.rollback(run, Manner())
    put_out(report(format, no_color=no_color).run(undone))
    return exit_code(undone)

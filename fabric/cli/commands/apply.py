"""fabric apply: push the difference in waves, each behind a gate. Writes to devices."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli.completion import complete_run
from fabric.cli.files import intent_file
from fabric.cli.options import (
    Access,
    Debug,
    Format,
    Jobs,
    Limit,
    NoColor,
    Only,
    Yes,
    ask,
    confirmed,
    facets,
    put_out,
    report,
)
from fabric.cli.progress import watching
from fabric.cli.talk import tell
from fabric.results import ExitCode

What = Annotated[
    Path | None, typer.Argument(help="A fabric.yaml, its folder, or a plan kept by `plan --out`.", show_default=False)
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Stop after the plan.")]
Canary = Annotated[bool, typer.Option("--canary", help="Change only the first node of the plan.")]
Confirm = Annotated[str, typer.Option("--confirm", help="How long a device waits before it restores itself: 10m.")]
Resume = Annotated[
    str | None,
    typer.Option("--resume", help="Carry on this run.", metavar="RUN", show_default=False, autocompletion=complete_run),
]
Accept = Annotated[bool, typer.Option("--accept-existing", help="Go on although checks fail already.")]
Gate = Annotated[float, typer.Option("--gate", min=0, help="Seconds that a wave may take to work again.")]


def command(
    what: What = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    canary: Canary = False,
    confirm: Confirm = "10m",
    resume: Resume = None,
    accept_existing: Accept = False,
    gate: Gate = 30,
    limit: Limit = None,
    only: Only = None,
    jobs: Jobs = 32,
    access: Access = None,
    format: Format = "table",  # noqa: A002  # the option's name
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Push a design or a kept plan: canary first, then wave by wave."""
    del debug
    from fabric.workflows.apply import exit_code
    from fabric.workflows.conduct import Manner
    from fabric.workflows.site import Choice, chosen, of_run, site

    manner = Manner(confirm, gate, canary=canary, accept_existing=accept_existing)
    if resume is not None:
        with watching(ask, no_color=no_color) as asking:
            run = of_run(resume, Choice(jobs=jobs, access=access), tell, asking).resume(resume, manner)
        put_out(report(format, no_color=no_color).run(run))
        return exit_code(run)
    choice, planned = chosen(Choice(intent_file(what), limit, facets(only), jobs, access))
    with watching(ask, no_color=no_color) as asking:
        found = site(choice, tell, asking)
        made = found.plan()
        found.same(made, planned)
        put_out(report(format, no_color=no_color).plan(found.prepared.design, made, found.file, choice.only))
        if dry_run or not (made.changes or made.unreached):
            return ExitCode.DONE
        if not made.changes:
            return ExitCode.DEVICE
        if not confirmed(f"Apply to {len(made.changes)} nodes?", yes=yes):
            tell("nothing was changed")
            return ExitCode.DONE
        run = found.apply(made, manner)
        put_out(report(format, no_color=no_color).run(run))
        return exit_code(run)

"""fabric validate: load, design, and run all rules. Touches no device."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli.files import intent_file
from fabric.cli.options import Debug, File, Format, Ignore, NoColor, Output, Rules, Select, listed, put_out, report
from fabric.cli.talk import tell
from fabric.errors import DesignError, IntentError
from fabric.results import ExitCode, Severity

if TYPE_CHECKING:
    from fabric.workflows.prepare import Prepared

Least = Annotated[Severity, typer.Option("--severity", help="Show nothing less than this; the exit code is the same.")]
Profile = Annotated[bool, typer.Option("--profile", help="Say on stderr how much time each rule took.")]


def command(
    file: File = None,
    select: Select = None,
    ignore: Ignore = None,
    severity: Least = Severity.NOTE,
    rules: Rules = None,
    profile: Profile = False,
    format: Format = "table",  # noqa: A002  # the option's name
    output: Output = None,
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Prove a file right, before any device is touched."""
    del debug
    from fabric.workflows.prepare import Asked, prepare
    from fabric.workflows.stopwatch import Stopwatch

    given = intent_file(file)
    made = report(format, no_color=no_color, output=output)
    watch = Stopwatch()
    try:
        asked = Asked(listed(select), listed(ignore), tuple(rules or ()))
        prepared = prepare(given, asked=asked, around=watch if profile else nullcontext)
    except (IntentError, DesignError) as error:
        if format != "table" or output is not None:  # on stderr they stand in any case
            put_out(made.problems(str(given), error.problems), output)
        raise
    shown = tuple(finding for finding in prepared.findings if finding.severity.reaches(severity))
    put_out(made.findings(prepared.design, shown, prepared.rules, severity), output)
    _tell_what_is_left_out(prepared, len(prepared.findings) - len(shown), severity, narrowed=bool(select or ignore))
    if profile:
        _tell_times(watch.rows())
    return ExitCode.INTENT if prepared.errors else ExitCode.DONE


def _tell_what_is_left_out(prepared: Prepared, hidden: int, least: Severity, *, narrowed: bool) -> None:
    from fabric.ranges import count

    if narrowed:
        tell(f"judged by {len(prepared.rules)} of {count(prepared.known, 'rule')}")
    if hidden:
        tell(f"not shown: {count(hidden, 'finding')} of less than {least.value}")


def _tell_times(rows: tuple[tuple[str, str, str], ...]) -> None:
    from fabric.report.tables import printed, table

    tell(printed([table(("part", "CPU ms", "share"), rows)], color=False).rstrip())

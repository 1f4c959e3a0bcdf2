"""fabric validate: load, design, and run all rules. Touches no device."""

from __future__ import annotations

from fabric.cli.files import intent_file
from fabric.cli.options import Debug, File, Format, NoColor, Output, put_out, report
from fabric.errors import DesignError, IntentError
from fabric.results import ExitCode


def command(
    file: File = None,
    format: Format = "table",  # noqa: A002  # the option's name
    output: Output = None,
    no_color: NoColor = False,
    debug: Debug = False,
) -> int:
    """Prove a file right, before any device is touched."""
    del debug
    from fabric.workflows.prepare import prepare

    given = intent_file(file)
    made = report(format, no_color=no_color, output=output)
    try:
        prepared = prepare(given)
    except (IntentError, DesignError) as error:
        if format != "table" or output is not None:  # on stderr they stand in any case
            put_out(made.problems(str(given), error.problems), output)
        raise
    put_out(made.findings(prepared.design, prepared.findings), output)
    return ExitCode.INTENT if prepared.errors else ExitCode.DONE

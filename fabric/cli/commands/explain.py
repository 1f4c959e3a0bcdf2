"""fabric explain: the page of a rule, a check or an exit code. Touches no device."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.options import Debug, put_out
from fabric.results import ExitCode

Name = Annotated[str, typer.Argument(help="A rule or check such as cabling.lldp, an error, or `exit-codes`.")]


def command(name: Name, debug: Debug = False) -> int:
    """Explain a rule, a check, an error or the exit codes."""
    del debug
    from fabric.workflows.pages import page

    put_out(page(name))
    return ExitCode.DONE

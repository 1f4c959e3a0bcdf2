"""fabric lab fault: break something in the lab, or mend it."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.files import intent_file
from fabric.cli.options import Debug, FileOption, put_out
from fabric.results import ExitCode

Kind = Annotated[str, typer.Argument(help="cut, swap-cables, mtu, stop-daemon, drift, heal or mend.")]
At = Annotated[list[str] | None, typer.Argument(help="Where: leaf01, leaf01:swp1, and what the kind wants.")]


def command(kind: Kind, at: At = None, file: FileOption = None, debug: Debug = False) -> int:
    """Put a fault into the lab: a cable, an MTU, a daemon, a setting changed by hand."""
    del debug
    from fabric.lab.control import fault
    from fabric.workflows.prepare import prepare

    design = prepare(intent_file(file)).design
    put_out(fault(design.fabric, design, kind, tuple(at or ())))
    return ExitCode.DONE

"""fabric lab down: take a lab away."""

from __future__ import annotations

from fabric.cli.files import intent_file
from fabric.cli.options import Debug, File, put_out
from fabric.results import ExitCode


def command(file: File = None, debug: Debug = False) -> int:
    """Take the lab down: all of its processes, namespaces and files."""
    del debug
    from fabric.intent.loader import load
    from fabric.lab.control import down

    fabric = load(intent_file(file)).intent.fabric
    put_out(f"lab {fabric} is down" if down(fabric) else f"lab {fabric} was not up")
    return ExitCode.DONE

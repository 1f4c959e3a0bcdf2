"""fabric lab up: build the fabric of a file from network namespaces on this machine."""

from __future__ import annotations

from fabric.cli.files import intent_file
from fabric.cli.options import Debug, File, put_out
from fabric.cli.talk import tell
from fabric.results import ExitCode


def command(file: File = None, debug: Debug = False) -> int:
    """Build the lab: every node with its own FRR, sshd and lldpd, every cable of the design."""
    del debug
    from fabric.lab.control import up
    from fabric.workflows.prepare import sound

    made = up(sound(intent_file(file)).design, progress=tell)
    put_out(f"lab {made.fabric} is up: {made.nodes} nodes, {made.cables} cables, {made.seconds:.1f} s; {made.access}")
    return ExitCode.DONE

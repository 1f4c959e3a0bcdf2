"""fabric init: write a commented file to begin with. Touches no device."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.options import Debug, put_out
from fabric.cli.talk import tell
from fabric.results import ExitCode

Preset = Annotated[
    str | None, typer.Option("--preset", help="What to begin with; without it they are listed.", show_default=False)
]
Place = Annotated[
    str, typer.Option("-o", "--output", help="The file to write, or a folder for a fabric.yaml; - is stdout.")
]
Name = Annotated[
    str | None, typer.Option("--name", help="Name of the fabric; default: that of the preset.", show_default=False)
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]


def command(
    preset: Preset = None,
    output: Place = "fabric.yaml",
    name: Name = None,
    force: Force = False,
    debug: Debug = False,
) -> int:
    """Write a commented fabric.yaml to begin with, from a preset."""
    del debug
    from fabric.workflows.starting import put_new, starter

    text = starter(preset, name)
    if output == "-":
        put_out(text)
    else:
        path = put_new(text, output, force=force)
        put_out(f"{path} written")
        tell(f"next: fabric validate {path}")
    return ExitCode.DONE

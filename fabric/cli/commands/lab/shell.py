"""fabric lab shell: a shell in a node of the lab."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from fabric.cli.completion import complete_node
from fabric.cli.files import intent_file
from fabric.cli.options import Debug, FileOption

Name = Annotated[str, typer.Argument(help="A node of the lab.", autocompletion=complete_node)]


def command(node: Name, file: FileOption = None, debug: Debug = False) -> int:
    """Open a root shell in a node, past SSH."""
    del debug
    from fabric.intent.loader import load
    from fabric.lab.control import shell

    argv = shell(load(intent_file(file)).intent.fabric, node)
    os.execvp(argv[0], argv)  # noqa: S606  # the shell takes the place of this process

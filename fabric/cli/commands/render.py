"""fabric render: all node texts into a folder. Touches no device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli.files import folder_to_fill, intent_file
from fabric.cli.options import Debug, File, Limit, put_out
from fabric.errors import UsageError
from fabric.results import ExitCode

Into = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Write into this folder.", show_default=False, callback=folder_to_fill),
]
NoRules = Annotated[bool, typer.Option("--no-rules", help="Render in spite of what the rules say.")]
Check = Annotated[
    Path | None,
    typer.Option(
        "--check", help="Compare with this folder instead of writing; exit 2 on a difference.", show_default=False
    ),
]
Templates = Annotated[
    Path | None, typer.Option("--templates", help="Templates of your own, looked up first.", show_default=False)
]


def command(
    file: File = None,
    output: Into = None,
    check: Check = None,
    limit: Limit = None,
    templates: Templates = None,
    no_rules: NoRules = False,
    debug: Debug = False,
) -> int:
    """Render the configuration of every node."""
    del debug
    from fabric.workflows.rendering import compare, render_all, write

    if (output is None) == (check is None):
        raise UsageError("either -o DIR or --check DIR is needed, not both", hint="fabric render FILE -o DIR")
    for folder in (check, templates):
        if folder is not None and not folder.is_dir():
            raise UsageError(f"no folder {folder}", hint="give a folder that is there")
    texts = render_all(intent_file(file), limit=limit, templates=templates, rules=not no_rules)
    if check is not None:
        different = compare(texts, check)
        put_out("\n".join(different) if different else f"{check}: {len(texts)} files as rendered")
        return ExitCode.PENDING if different else ExitCode.DONE
    if output is not None:
        write(texts, output)
        put_out(f"{len(texts)} files written to {output}")
    return ExitCode.DONE

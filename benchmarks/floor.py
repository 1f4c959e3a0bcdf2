"""The floor under `fabric validate` and `fabric render`: their libraries, the same file read, the same texts written.

usage: python floor.py FILE [TREE OUT]

Imports what the commands cannot do without, parses FILE as YAML, and, when TREE is given, writes the texts that are
in it to the new folder OUT. Nothing is designed, checked or rendered, so no Python tool on these libraries costs less.
"""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pydantic
import typer
from ruamel.yaml import YAML

LIBRARIES = (jinja2, pydantic.BaseModel, typer)


def main(file: Path, tree: Path | None = None, out: Path | None = None) -> None:
    """Do the least that has to be done."""
    YAML(typ="safe").load(file)
    if tree is None or out is None:
        return
    for source in sorted(tree.rglob("*")):
        target = out / source.relative_to(tree)
        if source.is_dir():
            target.mkdir(parents=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    main(*(Path(each) for each in sys.argv[1:]))

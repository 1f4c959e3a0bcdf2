"""What is imported is declared, and what is declared is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Distributions whose import name is not their own.
IMPORT_NAMES = {"ruamel.yaml": "ruamel"}
# Import names that come with another distribution of the list, as a part of it.
PARTS = {"pydantic_core"}


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = (line for extra in project["optional-dependencies"].values() for line in extra)
    lines = (*project["dependencies"], *optional)
    names = {re.split(r"[<>=~!\[; ]", line, maxsplit=1)[0].lower() for line in lines}
    return {IMPORT_NAMES.get(name, name.replace("-", "_")) for name in names}


def imported() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "fabric").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).partition(".")[0])
    return found - sys.stdlib_module_names - {"fabric"}


def test_every_library_that_is_imported_is_declared_and_no_other() -> None:
    assert imported() - PARTS == declared()

"""The page of JSON documents: which kinds there are, their versions and their fields, from documents that are made."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fabric.changes.run import RunState
from fabric.cli.main import run
from fabric.workflows.journal import Journal
from pages.markdown import page, table

ROOT = Path(__file__).parents[2]
LAB = "inventories/lab"
# What prints each kind, run as it stands here.
COMMANDS = (
    ("validate", LAB),
    ("show", "-f", LAB),
    ("show", "leaf01", "-f", LAB, "--why"),
    ("plan", LAB, "--against", f"{LAB}/recordings/bare"),
    ("verify", LAB, "--against", f"{LAB}/recordings/applied"),
    ("runs",),
)


def json_formats() -> str:
    """Return the page."""
    about = (
        "`--format json` prints one document on stdout. Each names its `kind` and its `format_version`; the version"
        " goes up when a field changes its meaning or goes, not when one is added. `validate`, `verify` and `plan` also"
        " write JUnit (`--format junit`), and they and `show` a page (`--format html`); `validate` and `verify` write"
        " SARIF 2.1.0 (`--format sarif`) and Markdown for comments (`--format md`)."
    )
    with TemporaryDirectory() as state:
        _journal(Path(state))
        made = [(arguments, _document(arguments)) for arguments in COMMANDS]
    index = table(
        ("kind", "version", "printed by"),
        (
            (f"[{each['kind']}](#{each['kind']})", str(each["format_version"]), f"`fabric {args[0]}`")
            for args, each in made
        ),
    )
    return page("JSON formats", about, index, *(_part(*each) for each in made))


def _journal(state: Path) -> None:
    """Make a journal of one ended run the one in use, so that the page does not hang on what this machine has run."""
    os.environ["FABRIC_STATE"] = str(state)
    journal = Journal(state)
    entered = journal.begin("apply", "lab", LAB, "", {})
    journal.enter(entered, "leaf01", 0, "")
    journal.end(entered, RunState.DONE)


def _document(arguments: tuple[str, ...]) -> dict[str, Any]:
    said = io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(said):
        run([*arguments, "--format", "json"])
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def _part(arguments: tuple[str, ...], document: dict[str, Any]) -> str:
    typed = f"fabric {' '.join(arguments)} --format json"
    rows = [(f"`{path}`", kind) for path, kind in _fields(document, "", 0)]
    return f"## {document['kind']}\n\n```\n{typed}\n```\n\n{table(('field', 'type'), rows)}"


def _fields(value: Any, at: str, deep: int) -> list[tuple[str, str]]:
    """Return paths and types; maps under names of the user's own are shown by their first entry, as ``NAME``."""
    rows: list[tuple[str, str]] = []
    if isinstance(value, dict):
        free = at.rpartition(".")[2] in {"nodes", "origins", "settings", "facets"}
        for name, inner in list(value.items())[: 1 if free else None]:
            path = f"{at}.{'NAME' if free else name}" if at else str(name)
            rows.append((path, _kind(inner)))
            if deep < 3:
                rows += _fields(inner, path, deep + 1)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        rows += _fields(value[0], at, deep)
    return rows


def _kind(value: Any) -> str:
    words = {dict: "map", list: "list", str: "text", bool: "true or false", int: "number", float: "number"}
    return words.get(type(value), "null")

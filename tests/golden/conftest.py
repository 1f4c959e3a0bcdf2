"""What a user is told of a file: the exit code, and the words of `fabric validate` but for notes."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from datetime import date, datetime
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.cli.main import run as command
from fabric.cli.options import report
from fabric.design.build import design
from fabric.intent.loader import load
from fabric.results import Severity
from fabric.rules.contract import Subjects
from fabric.rules.runner import run

sys.path.insert(0, str(Path(__file__).parents[1] / "rules"))
from plain_rows import patched

TODAY = date(2026, 12, 1)


def said_of(folder: Path) -> str:
    """Return what is said of the file in a folder, judged as designed or, with read.yaml, as devices are set."""
    heard = io.StringIO()
    with contextlib.chdir(folder.parent), contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
        if (folder / "read.yaml").exists():
            return _as_read(folder)
        code = command(["validate", folder.name, "--severity", "warning"])
    today = f"{datetime.now().astimezone().date()}"
    told = re.sub(r"not shown: .*\n", "", heard.getvalue().replace(today, "TODAY"))
    return f"exit {int(code)}\n{told}"


def _as_read(folder: Path) -> str:
    document = load(folder.name)
    made = design(document)
    patches = YAML(typ="safe", pure=True).load((folder / "read.yaml").read_text())
    nodes = made.network.nodes
    read = made.network.with_settings({name: patched(nodes[name].settings, patch) for name, patch in patches.items()})
    findings = run(Subjects(document, made, read, TODAY))
    return report("table").findings(
        made, tuple(each for each in findings if each.severity is not Severity.NOTE), least=Severity.WARNING
    )


@pytest.fixture
def said():
    """A function that judges a folder."""
    return said_of

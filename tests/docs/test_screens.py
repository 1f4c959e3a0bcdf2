"""Screens show what the program prints."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SCREENS = import_module("screens")  # of scripts, where conftest.py looks
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md") if "<!-- screen" in path.read_text())


def _stale(*arguments: str) -> str:
    argv = [sys.executable, ROOT / "scripts" / "screens.py", "--check", *arguments]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_screens_without_devices_are_what_the_program_prints(page: str) -> None:
    assert _stale(str(DOCS / page)) == ""


@pytest.mark.lab
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the lab needs root")
def test_screens_of_the_lab_are_what_the_program_prints() -> None:
    assert _stale("--lab", str(DOCS / "tutorial.md")) == ""


def test_no_screen_shows_a_fault_of_the_program(written: dict[str, str]) -> None:
    faults = ("bug in fabric", "Traceback", "command not found", "No such file")
    shown = [(page, body) for page, text in written.items() for body, _ in SCREENS.screens(text)]
    assert [(page, fault) for page, body in shown for fault in faults if fault in body] == []


def test_the_tutorial_has_both_halves_and_no_empty_screen(written: dict[str, str]) -> None:
    found = list(SCREENS.screens(written["tutorial.md"]))
    quiet = ("$ mv ", "$ newest=")
    assert sum(lab for _, lab in found) >= 6
    assert sum(not lab for _, lab in found) >= 6
    assert [body for body, _ in found if len(body.splitlines()) < 2 and not body.startswith(quiet)] == []

"""Pages that come from the code are as the code is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fabric.results import ExitCode

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def test_generated_pages_are_fresh() -> None:
    script = ROOT / "scripts" / "docs.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_screens_of_the_readme_are_what_the_program_prints() -> None:
    script = ROOT / "scripts" / "readme.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_exit_code_stands_in_the_table_with_its_meaning() -> None:
    page = (REFERENCE / "exit-codes.md").read_text()
    assert [code for code in ExitCode if f"| `{code.value}` | {code.name.lower()} | {code.meaning} |" not in page] == []


def test_every_page_of_the_reference_is_linked_from_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    missing = [path.name for path in REFERENCE.glob("*.md") if f"reference/{path.name}" not in index]
    assert missing == []

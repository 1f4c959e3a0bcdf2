"""The scripts are what a newcomer meets first: they parse, can be run, and say clearly what is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / "scripts" / name for name in ("setup", "demo", "test", "check")]
PROGRAMS = [*SCRIPTS, ROOT / ".ci" / "run"]


def run(*words: str | Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("FABRIC_", "VIRTUAL_ENV"))}
    return subprocess.run(words, env=env | surroundings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_each_script_can_be_run_and_parses(program: Path) -> None:
    assert os.access(program, os.X_OK)
    assert program.read_text().startswith("#!/usr/bin/env bash\n# ")
    assert run("bash", "-n", program).stderr == ""


def test_the_makefile_calls_the_scripts_and_nothing_else() -> None:
    recipes = [line.strip() for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("\t")]
    assert [line for line in recipes if "scripts/" not in line] == []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets == {"demo", "test", "test-lab", "check", "bench", "bench-scale", "bench-peers"}


def test_requirements_of_a_group_include_those_of_its_groups() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    wanted = [
        *groups["test"],
        *groups["lint"],
        *groups["docs"],
        *(each for each in groups["dev"] if isinstance(each, str)),
    ]
    found = run(sys.executable, ROOT / "scripts" / "requirements.py", "dev").stdout.splitlines()
    assert sorted(found) == sorted(wanted)


def test_a_python_that_is_too_old_is_refused_with_the_way_out(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        (tmp_path / name).write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.12 && exit 0\nexit 1\n')
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run(ROOT / "scripts" / "setup", "check", PATH=path, FABRIC_VENV=str(tmp_path / "venv"), FABRIC_NO_APT="1")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Python 3.11 or newer is needed; found: Python 3.10.12" in done.stderr
    assert "Debian 12, Ubuntu 24.04" in done.stderr


def test_an_unknown_purpose_is_refused() -> None:
    done = run(ROOT / "scripts" / "setup", "dance")
    assert (done.returncode, done.stdout) == (1, "")
    assert "usage: scripts/setup demo|test|check" in done.stderr


def test_the_gate_on_coverage_fails_below_its_limit(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text("import sys\nif len(sys.argv) > 1:\n    print('never')\n    print('ever')\n")
    (tmp_path / ".coveragerc").write_text("[run]\nbranch = true\n")
    script = (
        f"cd {tmp_path} && {sys.executable} -m coverage run half.py && {sys.executable} {ROOT}/scripts/coverage_gate.py"
    )
    data = {"COVERAGE_FILE": str(tmp_path / "data")}
    shown, failed = run("bash", "-c", script, **data), run("bash", "-c", f"{script} --least 95", **data)
    assert shown.returncode == 0, shown.stderr
    assert "lines 50.0 %, branches 50.0 % (wanted: 0 %)" in shown.stdout
    assert failed.returncode == 1

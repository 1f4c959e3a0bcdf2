"""Limits of size and complexity are held, and notice what is over them (docs/architecture.md, section 9)."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = "\n".join(f"    if x > {n}:\n        x -= 1" for n in range(30))


def sizes(*folder: Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "sizes.py"
    return subprocess.run([sys.executable, script, *folder], capture_output=True, text=True, check=False)


def test_functions_and_files_of_the_package_stay_within_their_limits() -> None:
    done = sizes()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "function: 90th percentile" in done.stdout


def test_a_function_over_the_limit_is_named(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(f"def long(x):\n{CODE}\n    return x\n")
    done = sizes(tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/long.py:1 long: function of 62 lines, the limit is 60" in done.stdout


def test_a_docstring_does_not_count(tmp_path: Path) -> None:
    page = '    """Page.\n\n' + "    line\n" * 70 + '    """\n'
    (tmp_path / "paged.py").write_text(f"def paged(x):\n{page}    if x:\n        return 1\n    return 2\n")
    assert sizes(tmp_path).returncode == 0


def test_a_table_is_exempt(tmp_path: Path) -> None:
    rows = "".join(f"        {n}: 'row',\n" for n in range(90))
    (tmp_path / "table.py").write_text(f"def table():\n    return {{\n{rows}    }}\n")
    assert sizes(tmp_path).returncode == 0


def test_a_file_over_the_limit_is_named(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("x = 1\n" * 601)
    done = sizes(tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/long.py: file of 601 lines, the limit is 600" in done.stdout


@pytest.fixture(scope="module")
def tools() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    return found


def test_types_are_strict_everywhere(tools: dict[str, dict[str, object]]) -> None:
    assert tools["mypy"]["strict"] is True
    assert tools["mypy"]["packages"] == ["fabric"]
    assert "ignore_errors" not in str(tools["mypy"])


def test_the_linter_asks_for_everything_and_low_complexity(tools: dict[str, dict[str, dict[str, object]]]) -> None:
    lint = tools["ruff"]["lint"]
    assert lint["select"] == ["ALL"]
    assert lint["mccabe"] == {"max-complexity": 10}
    assert {"C901", "RUF100", "PGH003", "PGH004"}.isdisjoint(str(lint["ignore"]).replace("'", " ").split())
    excused = [folder for folder, codes in dict(lint["per-file-ignores"]).items() if "C901" in codes]
    assert excused == []


def test_no_function_is_excused_from_the_limit_of_complexity() -> None:
    found = [str(path) for path in (ROOT / "fabric").rglob("*.py") if "noqa: C901" in path.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.parametrize("tool", ['ruff" check', 'ruff" format --check', "mypy", "lint-imports", "sizes.py"])
def test_the_check_script_runs_each_tool(tool: str) -> None:
    assert tool in (ROOT / "scripts" / "check").read_text()

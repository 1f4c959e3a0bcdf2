"""Habits that no linter knows: names of files, reasons of excuses, catch-alls, doubles, imports of commands."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = sorted((ROOT / "fabric").rglob("*.py"))
COMMANDS = sorted((ROOT / "fabric" / "cli").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
OTHERS = [path for folder in ("scripts", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]

CATALOGUES = {"utils", "util", "helpers", "helper", "common", "misc"}
DOUBLES = {"mock", "pytest_mock", "asynctest", "flexmock", "doublex"}
# A catch-all stands only where one rule or check, one device, or one command must not take others down with it.
BORDERS = {
    *("fabric/rules/runner.py", "fabric/rules/folder.py", "fabric/checks/runner.py"),
    *("fabric/transport/runner.py", "fabric/cli/main.py"),
}
# Excuses name their codes, and then give a reason in words.
EXCUSE = re.compile(r"#\s*(noqa|type:\s*ignore|mypy:|pragma:\s*no)", re.IGNORECASE)
WITH_REASON = re.compile(
    r"#\s*(noqa: [A-Z]+[0-9]+(, [A-Z]+[0-9]+)*"
    r"|type: ignore\[[a-z-]+(, ?[a-z-]+)*\]"
    r"|pragma: no (cover|branch))\W+\w.{6,}"
)
# What a command may import before it knows what is asked of it.
LIGHT = {"fabric", "fabric.results", "fabric.errors", "fabric.cli"}
LIGHT_FROM_OUTSIDE = {"typer"}


Found = TypeVar("Found")


def comments(text: str) -> list[tuple[int, str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def excuses_without_reason(text: str) -> list[int]:
    return [line for line, words in comments(text) if EXCUSE.search(words) and not WITH_REASON.search(words)]


def catch_alls(text: str) -> list[int]:
    """Return the lines of handlers that swallow everything; one that raises again only tidies up."""
    handlers = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ExceptHandler)]
    return [handler.lineno for handler in handlers if catches_all(handler) and not raises_again(handler)]


def catches_all(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or ast.unparse(each) in {"Exception", "BaseException"} for each in caught)


def raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def imported(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports; `from fabric import report` imports fabric.report."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        parts = [alias.name for alias in node.names if node.module in {"fabric", "unittest"} and alias.name[0] != "_"]
        return [f"{node.module}.{part}" for part in parts] or [str(node.module)]
    return []


def doubles(text: str) -> list[str]:
    names = [name for node in ast.walk(ast.parse(text)) for name in imported(node)]
    return [name for name in names if name.split(".")[0] in DOUBLES or name.startswith("unittest.mock")]


def heavy_imports(text: str) -> list[str]:
    """Return what a module imports as soon as it is imported itself, and that costs start-up time."""
    names = [name for node in ast.parse(text).body for name in imported(node)]
    return [name for name in names if not is_light(name)]


def is_light(name: str) -> bool:
    outside = sys.stdlib_module_names | LIGHT_FROM_OUTSIDE
    return name.partition(".")[0] in outside or name in LIGHT or name.startswith("fabric.cli.")


def offenders(look: Callable[[str], list[Found]], paths: list[Path]) -> dict[str, list[Found]]:
    """Return per file what ``look`` finds in its text; files without a find are left out."""
    found = {str(path.relative_to(ROOT)): look(path.read_text(encoding="utf-8")) for path in paths}
    return {name: finds for name, finds in found.items() if finds}


def test_no_file_is_a_catalogue() -> None:
    found = [str(path) for path in [*PACKAGE, *TESTS, *OTHERS] if path.stem in CATALOGUES]
    assert found == [], "one idea per file: name it after the idea"


def test_every_excuse_has_a_code_and_a_reason() -> None:
    assert offenders(excuses_without_reason, [*PACKAGE, *TESTS, *OTHERS]) == {}


def test_catch_alls_stand_only_at_the_borders() -> None:
    found = offenders(catch_alls, PACKAGE)
    assert {name: lines for name, lines in found.items() if name not in BORDERS or len(lines) > 1} == {}


def test_no_test_uses_a_mock_library() -> None:
    assert offenders(doubles, TESTS) == {}


def test_commands_import_nothing_heavy_at_their_top() -> None:
    assert offenders(heavy_imports, COMMANDS) == {}


def test_file_names_of_tests_are_unique() -> None:
    names = [path.name for path in TESTS if path.name.startswith("test_")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = 1  # noqa", [1]),
        ("x = 1  # noqa: S104", [1]),
        ("x = 1  # noqa: S104 - the lab listens on purpose", []),
        ("\nx = 1  # type: ignore", [2]),
        ("x = 1  # type: ignore[misc]", [1]),
        ("x = 1  # type: ignore[misc]  # the library has no types", []),
        ("x = 'a # noqa in a text'", []),
    ],
)
def test_an_excuse_without_a_reason_is_noticed(text: str, lines: list[int]) -> None:
    assert excuses_without_reason(text) == lines


@pytest.mark.parametrize(
    ("handler", "count"),
    [("", 1), ("Exception", 1), ("(OSError, BaseException)", 1), ("OSError", 0), ("errors.Timeout", 0)],
)
def test_a_catch_all_is_noticed(handler: str, count: int) -> None:
    assert len(catch_alls(f"try:\n    x()\nexcept {handler}:\n    pass\n")) == count


def test_tidying_up_and_raising_again_is_no_catch_all() -> None:
    assert catch_alls("try:\n    x()\nexcept BaseException:\n    y()\n    raise\n") == []


@pytest.mark.parametrize(
    "line", ["from unittest import mock", "import unittest.mock", "from unittest.mock import Mock"]
)
def test_a_mock_is_noticed(line: str) -> None:
    assert doubles(line)


@pytest.mark.parametrize(
    ("line", "heavy"),
    [
        ("import pydantic", True),
        ("from rich.table import Table", True),
        ("from fabric import workflows", True),
        ("import fabric.intent.loader", True),
        ("from fabric.workflows.planning import plan", True),
        ("import json", False),
        ("from pathlib import Path", False),
        ("import typer", False),
        ("from typer import Option", False),
        ("from fabric import __version__", False),
        ("from fabric.results import ExitCode", False),
        ("from fabric.cli.options import Options", False),
        ("def f():\n    import pydantic", False),
    ],
)
def test_a_heavy_import_is_noticed(line: str, heavy: bool) -> None:
    assert bool(heavy_imports(line)) is heavy

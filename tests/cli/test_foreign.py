"""Another distribution has our import name: its files are noticed, ours are not taken for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.cli.foreign import OURS, PACKAGE, foreign_files
from fabric.cli.main import run
from fabric.results import ExitCode


def test_our_own_tree_holds_no_foreign_files() -> None:
    assert foreign_files() == ()


def test_all_modules_at_the_top_are_known_as_ours() -> None:
    found = {entry.stem for entry in PACKAGE.iterdir() if entry.suffix == ".py" or (entry / "__init__.py").exists()}
    # probe and rdma are places of the design that may still be empty.
    assert found <= OURS <= found | {"probe", "rdma"}


def test_modules_and_packages_of_the_other_distribution_are_named(tmp_path: Path) -> None:
    for name in ("__init__.py", "results.py", "connection.py", "tasks.py"):
        (tmp_path / name).touch()
    (tmp_path / "testing").mkdir()
    (tmp_path / "testing" / "__init__.py").touch()
    assert foreign_files(tmp_path) == ("connection.py", "tasks.py", "testing")


def test_the_command_refuses_to_start_beside_foreign_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fabric.cli.main.foreign_files", lambda: ("connection.py",))
    assert run(["--version"]) is ExitCode.USAGE
    told = capsys.readouterr()
    assert told.out == ""
    assert "connection.py" in told.err
    assert "roce-fabric in an environment of its own" in told.err


def test_data_and_leftovers_are_nobody_s_concern(tmp_path: Path) -> None:
    for name in ("py.typed", "results.py~", ".hidden", "notes.txt"):
        (tmp_path / name).touch()
    for name in ("__pycache__", "_templates", "_inventories"):
        (tmp_path / name).mkdir()
    assert foreign_files(tmp_path) == ()

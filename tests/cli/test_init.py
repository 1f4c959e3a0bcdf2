"""fabric init as a user runs it: which files come to be, which are left alone, and what is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from fabric.results import ExitCode
from fabric.workflows.starting import presets


class Ended(Protocol):
    code: int
    out: str
    err: str


Run = Callable[..., Ended]
NAMES = [preset.name for preset in presets()]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_there_are_five_presets() -> None:
    assert NAMES == ["converged", "lab", "rail", "three-tier", "two-tier"]


def test_without_a_preset_they_are_listed_with_a_line_each_and_nothing_is_written(fabric: Run, tmp_path: Path) -> None:
    ended = fabric("init")
    assert ended.code == ExitCode.USAGE
    lines = [line.split(maxsplit=1) for line in ended.err.splitlines() if line.startswith("  ") and "hint" not in line]
    assert [name for name, _ in lines] == NAMES
    assert all(20 < len(summary) < 110 for _, summary in lines)
    assert "fabric init --preset rail" in ended.err
    assert ended.out == ""
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_preset_names_the_nearest(fabric: Run) -> None:
    ended = fabric("init", "--preset", "rails")
    assert ended.code == ExitCode.USAGE
    assert "did you mean rail?" in ended.err
    assert "three-tier" in fabric("init", "--preset", "qqqq").err


@pytest.mark.parametrize("preset", NAMES)
def test_a_file_to_begin_with_validates_at_once(fabric: Run, preset: str) -> None:
    ended = fabric("init", "--preset", preset)
    assert (ended.code, ended.out) == (0, "fabric.yaml written\n")
    assert "fabric validate" in ended.err
    validated = fabric("validate")
    assert validated.code == 0
    assert f"{preset}: 0 errors, 0 warnings" in validated.out


def test_what_is_written_is_told_by_its_path(fabric: Run, tmp_path: Path) -> None:
    ended = fabric("init", "--preset", "lab", "-o", tmp_path / "west.yaml")
    assert ended.out == f"{tmp_path / 'west.yaml'} written\n"
    assert ended.err == f"next: fabric validate {tmp_path / 'west.yaml'}\n"


def test_the_name_of_the_fabric_can_be_given(fabric: Run) -> None:
    assert fabric("init", "--preset", "lab", "--name", "west-1").code == 0
    text = Path("fabric.yaml").read_text(encoding="utf-8")
    assert text.count("\nfabric: west-1\n") == 1
    assert "\nfabric: lab\n" not in text
    assert "west-1: 0 errors" in fabric("validate").out


@pytest.mark.parametrize("name", ["West", "1st", "a" * 32, "", "a b", "west\n", "../west"])
def test_a_name_that_is_none_is_refused_and_nothing_is_written(fabric: Run, tmp_path: Path, name: str) -> None:
    ended = fabric("init", "--preset", "lab", "--name", name)
    assert ended.code == ExitCode.USAGE
    assert "--name" in ended.err
    assert "lower-case" in ended.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["as-it-is", "force"])
def test_a_file_that_is_there_is_replaced_only_by_force(fabric: Run, tmp_path: Path, force: tuple[str, ...]) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text("mine\n", encoding="utf-8")
    ended = fabric("init", "--preset", "rail", *force)
    if force:
        assert ended.code == 0
        assert "fabric: rail" in file.read_text(encoding="utf-8")
    else:
        assert ended.code == ExitCode.USAGE
        assert ended.err.startswith("error: fabric.yaml: the file is there already")
        assert "--force" in ended.err
        assert file.read_text(encoding="utf-8") == "mine\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["fabric.yaml"]


def test_a_link_that_leads_nowhere_is_a_file_that_is_there(fabric: Run, tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").symlink_to(tmp_path / "elsewhere")
    assert fabric("init", "--preset", "rail").code == ExitCode.USAGE
    assert (tmp_path / "fabric.yaml").is_symlink()
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_gets_a_fabric_yaml(fabric: Run, tmp_path: Path) -> None:
    (tmp_path / "west").mkdir()
    assert fabric("init", "--preset", "rail", "-o", "west").out == "west/fabric.yaml written\n"
    assert fabric("init", "--preset", "rail", "-o", "west").code == ExitCode.USAGE
    assert fabric("init", "--preset", "rail", "-o", "north/").out == "north/fabric.yaml written\n"
    assert fabric("validate", "north").code == 0


def test_a_place_that_cannot_be_is_told(fabric: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ended = fabric("init", "--preset", "rail", "-o", "file/fabric.yaml")
    assert ended.code == ExitCode.USAGE
    assert "file" in ended.err
    assert "bug" not in ended.err


def test_stdout_takes_the_file_and_nothing_else(fabric: Run, tmp_path: Path) -> None:
    ended = fabric("init", "--preset", "rail", "-o", "-", "--name", "piped")
    assert (ended.code, ended.err) == (0, "")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "fabric.yaml").write_text(ended.out, encoding="utf-8")
    assert "piped: 0 errors" in fabric("validate").out

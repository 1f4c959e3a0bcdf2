"""Where commands write: places that cannot be written are told before anything else is done."""

import sys

import pytest

from fabric.cli.main import run
from fabric.results import ExitCode


@pytest.mark.parametrize(
    "args",
    [
        ("validate", "nowhere.yaml", "-o"),
        ("show", "-f", "nowhere.yaml", "-o"),
        ("plan", "nowhere.yaml", "-o"),
        ("plan", "nowhere.yaml", "--out"),
        ("verify", "nowhere.yaml", "-o"),
        ("schema", "-o"),
    ],
    ids=" ".join,
)
def test_a_folder_is_no_file_to_write(fabric, tmp_path, args):
    ended = fabric(*args, tmp_path)
    assert ended.code == ExitCode.USAGE
    assert ended.err == f"error: {tmp_path}: this is a folder, and a file is to be written\n  hint: name a file in it\n"


@pytest.mark.parametrize(
    "args",
    [
        ("render", "nowhere.yaml", "-o"),
        ("show", "-f", "nowhere.yaml", "--csv"),
        ("plan", "nowhere.yaml", "--record"),
        ("verify", "nowhere.yaml", "--record"),
    ],
    ids=" ".join,
)
def test_a_file_is_no_folder_to_fill(fabric, tmp_path, args):
    (tmp_path / "file").write_text("mine")
    for path, said in (("file", "this is a file, and a folder is wanted"), ("file/in", "file is no folder")):
        ended = fabric(*args, tmp_path / path)
        assert ended.code == ExitCode.USAGE
        assert said in ended.err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_below_a_file_cannot_be_written(fabric, tmp_path):
    (tmp_path / "file").write_text("mine")
    ended = fabric("schema", "-o", tmp_path / "file" / "schema.json")
    assert ended.code == ExitCode.USAGE
    assert f"{tmp_path}/file is no folder" in ended.err


def test_a_closed_stdout_is_told_and_a_file_does_without(capsys, inventory, tmp_path, monkeypatch):
    lab = str(inventory("lab"))
    monkeypatch.setattr(sys, "stdout", None)
    codes = [run(["validate", lab]), run(["validate", lab, "-o", str(tmp_path / "said")])]
    monkeypatch.undo()
    assert codes == [ExitCode.USAGE, ExitCode.DONE]
    assert "error: stdout is closed" in capsys.readouterr().err
    assert "lab: 0 errors" in (tmp_path / "said").read_text()

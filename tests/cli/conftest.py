"""Commands as a user runs them, in this process: arguments in, exit code and words out."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from fabric.cli.main import run

ROOT = Path(__file__).parents[2]
INVENTORIES = ROOT / "inventories"


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    """Keep journals and labs of this machine out of the tests."""
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    for name in ("FABRIC_FILE", "FABRIC_DEBUG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def fabric(capsys):
    def call(*args):
        capsys.readouterr()
        code = run([str(arg) for arg in args])
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return call


@pytest.fixture
def inventory():
    return INVENTORIES.__truediv__


@pytest.fixture
def intent(tmp_path):
    """Write the lab inventory with one text replaced by another."""

    def write(old="", new=""):
        text = (INVENTORIES / "lab" / "fabric.yaml").read_text()
        assert old in text
        path = tmp_path / "fabric.yaml"
        path.write_text(text.replace(old, new))
        return path

    return write

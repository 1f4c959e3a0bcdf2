"""Files and surroundings for commands."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INVENTORIES = ROOT / "inventories"


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    """Keep journals and labs of this machine out of the tests."""
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    for name in ("FABRIC_FILE", "FABRIC_DEBUG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


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

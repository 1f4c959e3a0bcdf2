"""A lab of its own for every test, and the command line as a user runs it."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from fabric.lab import control

TINY = Path(__file__).with_name("tiny.yaml")


@dataclass(frozen=True)
class Bench:
    """A lab that is up, with its file and the ways to use both."""

    file: Path
    state: Path
    call: object
    name: str = "tiny"

    def fabric(self, *args):
        return self.call(*args)

    def start(self, *args):
        """Start a command in a process of its own, to be interrupted or killed."""
        argv = [sys.executable, "-m", "fabric", *map(str, args)]
        env = os.environ | {"FABRIC_STATE": str(self.state)}
        return subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def on(self, node, command):
        """Run a shell line in a node, past SSH."""
        argv = [*control.shell(self.name, node)[:-1], command]
        return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=60).stdout

    def fault(self, *args):
        ended = self.fabric("lab", "fault", *args, "-f", self.file)
        assert ended.code == 0, ended.err

    def access(self, **changes):
        """Return a copy of the lab's access file with fields of all nodes changed."""
        found = json.loads((self.state / "labs" / self.name / "access.json").read_text())
        for node in found["nodes"].values():
            node.update({key: str(value) for key, value in changes.items()})
        path = self.state / "access.json"
        path.write_text(json.dumps(found))
        return path

    def runs(self):
        ended = self.fabric("runs", "--format", "json")
        return json.loads(ended.out)["runs"]

    def wait_for(self, state, deadline=60.0):
        """Wait until a node of the latest run stands so; return its name."""
        until = time.monotonic() + deadline
        while time.monotonic() < until:
            for found in self.runs()[:1]:
                for node in found["nodes"]:
                    if node["state"] == state:
                        return node["node"]
            time.sleep(0.05)
        raise AssertionError(f"no node became {state}: {self.runs()}")


@pytest.fixture
def state(tmp_path, monkeypatch):
    folder = tmp_path / "state"
    monkeypatch.setenv("FABRIC_STATE", str(folder))
    monkeypatch.delenv("FABRIC_DEBUG", raising=False)
    return folder


@pytest.fixture
def links():
    """How links are addressed; tests may say otherwise."""
    return "10.128.0.0/16"


@pytest.fixture
def bare(state, tmp_path, fabric, links):
    """A lab as it comes up: nothing configured."""
    file = tmp_path / "fabric.yaml"
    file.write_text(TINY.read_text().replace("10.128.0.0/16", links))
    ended = fabric("lab", "up", file)
    assert ended.code == 0, ended.err
    yield Bench(file, state, fabric)
    control.down("tiny")


@pytest.fixture
def applied(bare):
    """A lab to which its file was applied."""
    ended = bare.fabric("apply", bare.file, "--yes")
    assert ended.code == 0, ended.out + ended.err
    return bare


@pytest.fixture
def lab_of(state, tmp_path, fabric):
    """Build the lab of a file of this folder, with the lists beside it; taken down after the test."""
    names = []

    def build(name, text=str):
        for found in Path(__file__).parent.glob(f"{name}.*"):
            shutil.copy(found, tmp_path)
        file = tmp_path / f"{name}.yaml"
        file.write_text(text(file.read_text()))
        names.append(name)
        ended = fabric("lab", "up", file)
        assert ended.code == 0, ended.err
        return Bench(file, state, fabric, name)

    yield build
    for name in names:
        control.down(name)

"""A throw-away Linux node: network, mount and process namespaces of its own, with private folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from fabric.changes.command import Command, Output
from fabric.changes.steps import Arm, Confirm, Put, Restore, Run, Step

_INSIDE = """
mount --make-rprivate /
for name in etc var/lib; do mount --bind "$1/$name" "/$name"; done
mount -t tmpfs tmpfs /run
ip link set lo up
echo ready
exec sleep 600
"""


class Node:
    """Runs commands and steps as a session would, by ``nsenter``."""

    node = "node"

    def __init__(self, folder: Path) -> None:
        (folder / "var/lib").mkdir(parents=True)
        shutil.copytree("/etc", folder / "etc", symlinks=True, ignore_dangling_symlinks=True)
        flags = ("-n", "-m", "-u", "-p", "-f", "--kill-child=KILL", "--mount-proc")
        self._outer = subprocess.Popen(
            ("unshare", *flags, "sh", "-c", _INSIDE, "sh", str(folder)), stdout=subprocess.PIPE, text=True
        )
        assert self._outer.stdout is not None
        assert self._outer.stdout.readline() == "ready\n"
        children = Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children")
        self._pid = children.read_text().split()[0]

    def run(self, command: Command) -> Output:
        done = subprocess.run(
            ("nsenter", "-t", self._pid, "-n", "-m", "-u", "-p", "sh", "-c", command.text),
            input=command.stdin,
            capture_output=True,
            text=True,
            timeout=command.timeout,
            check=False,
        )
        return Output(command.text, done.stdout, done.stderr, done.returncode)

    def sh(self, text: str, stdin: str = "") -> str:
        """Run a command that must end well, and return what it printed."""
        output = self.run(Command(text, stdin=stdin))
        assert output.ok, (text, output.error or output.text)
        return output.text

    def put(self, put: Put) -> None:
        path = Path(f"/proc/{self._pid}/root{put.path}")
        path.write_text(put.content, newline="")
        path.chmod(put.mode)
        if put.owner:
            user, _, group = put.owner.partition(":")
            shutil.chown(path, user, group or None)

    def do(self, steps: Iterable[Step]) -> None:
        """Carry out steps; one that ends with a code it may not end with fails the test."""
        for step in steps:
            match step:
                case Put():
                    self.put(step)
                case Run():
                    output = self.run(step.command)
                    assert output.code in step.codes, (step.why, step.command.text, output.error or output.text)
                case Arm():
                    self.do(step.start)
                case Confirm() | Restore():
                    self.sh(step.command.text)
                case _:
                    pytest.fail(f"no such step on Linux: {step}")

    def put_script(self, text: str) -> None:
        """Save a text as the script that sets the network at boot."""
        self.sh("mkdir -p /etc/fabric")
        self.put(Put(why="", path="/etc/fabric/network.sh", content=text, mode=0o755))

    def text(self, path: str) -> str:
        """Return a file's text; empty when there is none."""
        found = Path(f"/proc/{self._pid}/root{path}")
        return found.read_text() if found.exists() else ""

    def wires(self, *ports: str) -> None:
        """Make ports, each with a far end of its own."""
        for port in ports:
            self.sh(f"ip link add {port} type veth peer name far-{port}; ip link set far-{port} up mtu 9500")

    def cable(self, port: str, other: Node, far: str) -> None:
        """Make a cable from a port of this node to a port of another one."""
        ends = f"ip link add {port} netns {self._pid} type veth peer name {far} netns {other._pid}"
        subprocess.run(ends.split(), check=True)

    def until(self, true: Callable[[], bool], seconds: float = 10) -> None:
        """Wait until something is true, and fail when it never is."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.05)

    def close(self) -> None:
        self._outer.kill()
        self._outer.wait()
        assert self._outer.stdout is not None
        self._outer.stdout.close()


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    made = Node(tmp_path / "node")
    yield made
    made.close()

"""A lab from up to down, also when it ends badly."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fabric.errors import Unreachable, UsageError
from fabric.lab import control, record
from fabric.lab.plan import dump, plan
from fabric.lab.processes import Process, alive, children, process
from fabric.places import lab_folder
from fabric.settings.network import End, Link, Network

pytestmark = pytest.mark.lab


def quiet(_):
    pass


def family(pid):
    """All processes below one, with their start times."""
    found, waiting = [], list(children(pid))
    while waiting:
        one = process(waiting.pop())
        if one is not None:
            found.append(one)
            waiting += children(one.pid)
    return found


def gone(processes, seconds=10.0):
    end = time.monotonic() + seconds
    while (left := [one for one in processes if alive(one)]) and time.monotonic() < end:
        time.sleep(0.02)
    return not left


@pytest.fixture
def name(state):
    fabric = f"life{os.getpid()}"
    yield fabric
    control.down(fabric)


def test_up_status_down(name, design_of):
    words = []
    lab = control.up(design_of(name, 1, 1, 1), progress=words.append)
    status = control.status(name)
    assert (lab.nodes, lab.cables) == (3, 2)
    assert [node.name for node in status.nodes] == ["spine01", "leaf01", "gpu01"]
    assert all(process(node.pid) for node in status.nodes)
    assert any("starting 3 nodes" in word for word in words)
    access = json.loads(lab.access.read_text())
    assert access["format_version"] == 1
    assert access["fabric"] == name
    assert set(access["nodes"]["leaf01"]) == {"host", "port", "user", "key", "known_hosts", "sudo"}
    assert Path(access["nodes"]["leaf01"]["key"]).stat().st_mode & 0o777 == 0o600
    everything = family(record.owner(lab_folder(name)).pid)
    assert len(everything) > 10
    assert control.down(name)
    assert not any(alive(one) for one in everything)
    assert not lab_folder(name).exists()
    assert control.status(name) is None
    assert not control.down(name)


def test_a_second_up_is_refused(name, design_of):
    control.up(design_of(name, 1, 1, 0), progress=quiet)
    with pytest.raises(UsageError, match="is up already"):
        control.up(design_of(name, 1, 1, 0), progress=quiet)
    assert control.status(name) is not None


@pytest.mark.parametrize("victim", ["builder", "unshare"])
def test_killing_the_lab_hard_leaves_no_process(name, design_of, victim):
    control.up(design_of(name, 1, 1, 1), progress=quiet)
    owner = record.owner(lab_folder(name))
    everything = family(owner.pid)
    os.kill(owner.pid if victim == "unshare" else children(owner.pid)[0], signal.SIGKILL)
    assert gone([*everything, owner])
    assert control.status(name) is None
    control.up(design_of(name, 1, 1, 0), progress=quiet)
    assert control.status(name) is not None


def test_a_node_that_ends_is_shown_as_ended(name, design_of):
    design = design_of(name, 1, 1, 1)
    control.up(design, progress=quiet)
    victim = process(next(node.pid for node in control.status(name).nodes if node.name == "leaf01"))
    os.kill(victim.pid, signal.SIGKILL)
    assert gone([victim])
    assert {node.name: node.pid is None for node in control.status(name).nodes} == {
        "spine01": False,
        "leaf01": True,
        "gpu01": False,
    }
    with pytest.raises(UsageError, match="leaf01 has ended"):
        control.fault(name, design, "drift", ("leaf01",))


def test_a_failing_build_says_why_and_takes_everything_down(name, design_of):
    design = design_of(name, 1, 1, 0)
    links = (Link(End("leaf01", "a-name-longer-than-fifteen"), End("spine01", "swp1"), 10**10, 1.0),)
    words = []
    with pytest.raises(UsageError, match="ip refused to cable the lab") as caught:
        control.up(replace(design, network=Network(design.network.nodes, links)), progress=words.append)
    assert "a-name-longer-than-fifteen" in caught.value.message
    assert record.owner(lab_folder(name)) is None
    assert control.status(name) is None


def test_a_node_that_does_not_start_is_reported_with_its_words(name, design_of, tmp_path):
    design = design_of(name, 1, 1, 0)
    folder = tmp_path / "lab"
    folder.mkdir()
    lab = plan(design)
    broken = replace(lab.nodes[1], address="172.31.0.300/16")
    (folder / "plan.json").write_text(dump(replace(lab, nodes=(lab.nodes[0], broken))))
    unshare = ["unshare", "-p", "-f", "--mount-proc", "--kill-child=KILL"]
    run = subprocess.run(
        [*unshare, sys.executable, "-m", "fabric.lab.builder", str(folder)], capture_output=True, text=True, check=False
    )
    said = json.loads(run.stdout.splitlines()[-1])
    assert run.returncode == 1
    assert said["failed"] == "node leaf01 ended before it was started"
    assert "172.31.0.300" in said["hint"]


def test_an_interrupt_during_the_build_leaves_nothing(name, design_of):
    seen = []

    def interrupt(word):
        owner = record.owner(lab_folder(name))
        seen.extend([owner, *family(owner.pid)])
        if "starting" in word:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        control.up(design_of(name, 1, 1, 1), progress=interrupt)
    assert seen
    assert gone(seen)
    assert control.status(name) is None


def test_the_lab_ends_when_the_command_that_builds_it_is_killed(name, design_of, tmp_path):
    builder = tmp_path / "lab"
    builder.mkdir()
    (builder / "plan.json").write_text(dump(plan(design_of(name, 2, 2, 2))))
    unshare = ["unshare", "-p", "-f", "--mount-proc", "--kill-child=KILL"]
    run = subprocess.Popen(
        [*unshare, sys.executable, "-m", "fabric.lab.builder", str(builder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert run.stdout.readline()
    everything = family(run.pid)
    # Nobody listens any more, as when the command was killed.
    run.stdout.close()
    assert run.wait(30) != 0
    assert gone(everything)


def test_down_never_kills_a_process_that_only_has_the_pid(name):
    folder = lab_folder(name)
    folder.mkdir(parents=True)
    with subprocess.Popen(["sleep", "60"]) as other:
        found = process(other.pid)
        record.own(folder, Process(found.pid, found.start + 1))
        assert not control.down(name)
        assert alive(found)
        other.kill()


def test_two_commands_at_once_do_not_mix(name, design_of):
    with record.locked(lab_folder(name)), pytest.raises(UsageError, match="being changed by another command"):
        control.up(design_of(name, 1, 1, 0), progress=quiet)


def test_commands_on_a_lab_that_is_not_up_say_so(name, design_of):
    for command in (
        lambda: control.shell(name, "leaf01"),
        lambda: control.fault(name, design_of(name), "cut", ("leaf01:swp1",)),
    ):
        with pytest.raises(Unreachable, match="is not up") as caught:
            command()
        assert "fabric lab up" in caught.value.hint


def test_the_machine_is_not_touched(name, design_of):
    def look():
        links = subprocess.run(["ip", "-br", "link"], capture_output=True, text=True, check=True).stdout
        files = {path: path.stat().st_mtime_ns for path in map(Path, ("/etc", "/etc/frr", "/etc/ssh", "/var/lib"))}
        return links.split(), files, Path("/proc/mounts").read_text()

    before = look()
    control.up(design_of(name, 1, 1, 1), progress=quiet)
    during = look()
    control.down(name)
    assert before == during == look()

"""The lab's commands: what is missing, up, status, down, shell, fault."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fabric.design.model import Design
from fabric.errors import Unreachable, UsageError
from fabric.lab import faults as fault_kinds
from fabric.lab import record
from fabric.lab.access import write
from fabric.lab.machine import SEARCH_PATH, missing
from fabric.lab.node import tail
from fabric.lab.plan import dump, plan
from fabric.lab.processes import kill_with_children, process
from fabric.places import lab_folder
from fabric.settings.network import Kind

__all__ = ["Lab", "LabStatus", "NodeStatus", "down", "fault", "missing", "shell", "status", "up"]

_SILENCE = 300.0


@dataclass(frozen=True, slots=True)
class Lab:
    """A lab that has come up: where it publishes itself, and how many nodes and cables it has."""

    fabric: str
    access: Path
    nodes: int
    cables: int
    seconds: float


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """A node of a running lab; ``pid`` is None when it has ended; ``port`` is its SSH port on 127.0.0.1."""

    name: str
    kind: Kind
    pid: int | None
    port: int


@dataclass(frozen=True, slots=True)
class LabStatus:
    """A running lab: nodes in design order, and the active faults in the order in which they were put in."""

    fabric: str
    access: Path
    nodes: tuple[NodeStatus, ...]
    faults: tuple[str, ...]


def up(design: Design, *, progress: Callable[[str], None]) -> Lab:
    """Build the lab of a design; returns when every node is reachable by SSH.

    UsageError when this machine lacks something (all of it in ``problems``), when a node's system cannot run in a
    lab, when the lab is up already, or when the build fails; nothing is left running then.
    """
    begun = time.monotonic()
    lab = plan(design)
    lacking = missing()
    if lacking:
        raise UsageError(lacking[0].message, hint=lacking[0].hint, problems=lacking)
    folder = lab_folder(design.fabric)
    with record.locked(folder):
        if record.owner(folder) is not None:
            raise UsageError(f"the lab {design.fabric} is up already", hint="fabric lab down, or fabric lab status")
        _empty(folder)
        write(folder / "plan.json", dump(lab))
        _build(folder, progress)
    return Lab(design.fabric, folder / "access.json", len(lab.nodes), len(lab.cables), time.monotonic() - begun)


def status(fabric: str) -> LabStatus | None:
    """Return what runs of a fabric's lab; None when it is not up."""
    folder = lab_folder(fabric)
    lab = record.built(folder)
    if lab is None:
        return None
    nodes = (NodeStatus(n.name, n.kind, lab.pids.get(n.name), lab.ports[n.name]) for n in lab.plan.nodes)
    return LabStatus(fabric, folder / "access.json", tuple(nodes), tuple(fault.text for fault in lab.faults))


def down(fabric: str) -> bool:
    """Take a lab down and remove its folder; False when it was not up (leftovers are removed all the same)."""
    folder = lab_folder(fabric)
    if not folder.is_dir():
        return False
    with record.locked(folder):
        keeper = record.owner(folder)
        was_up = keeper is not None and kill_with_children(keeper)
        shutil.rmtree(folder)
    return was_up


def shell(fabric: str, node: str) -> tuple[str, ...]:
    """Return the command line to exec for a login shell in a node.

    Unreachable when the lab is not up, UsageError when there is no such node.
    """
    lab = _running(fabric)
    fault_kinds.known_node(lab, node)
    return fault_kinds.enter(lab.pids[node], f"TERM={os.environ.get('TERM', 'dumb')}", "sh", "-c", "cd; exec sh -l")


def fault(fabric: str, design: Design, kind: str, at: tuple[str, ...]) -> str:
    """Put a fault into the running lab, or undo with ``heal`` (all) and ``mend`` (cables); returns what was done.

    Unreachable when the lab is not up; UsageError when it was built from another design, or kind or place are unknown.
    """
    folder = lab_folder(fabric)
    _running(fabric)
    with record.locked(folder):
        lab = _running(fabric)
        if not lab.plan.holds(plan(design)):
            raise UsageError(
                f"the lab {fabric} was built from another design",
                hint="take it down and up again after a change of nodes or cables",
            )
        return fault_kinds.inject(lab, kind, at, partial(record.keep_faults, folder))


def _running(fabric: str) -> record.Built:
    lab = record.built(lab_folder(fabric))
    if lab is None:
        raise Unreachable(f"the lab {fabric} is not up", hint="start it with `fabric lab up FILE`")
    return lab


def _empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir(mode=0o700)


def _build(folder: Path, progress: Callable[[str], None]) -> None:
    """Start the builder and follow it until the lab is ready; take everything down on any other end."""
    log = folder / "builder.log"
    hears, says = os.pipe()
    try:
        keeper = process(_spawn(folder, log, says))
    finally:
        os.close(says)
    try:
        if keeper is not None:
            record.own(folder, keeper)
        _follow(hears, log, progress)
    except BaseException:
        # Also an interrupt: nothing may be left running.
        if keeper is not None:
            kill_with_children(keeper)
        raise
    finally:
        os.close(hears)


def _spawn(folder: Path, log: Path, says: int) -> int:
    """Start the builder in a PID namespace and a session of its own, its stdout at ``says``; returns the outer pid.

    The process must outlive this one, so nothing here keeps hold of it (as a Popen object would).
    """
    command = ["unshare", "-p", "-f", "--mount-proc", "--kill-child=KILL", sys.executable, "-m", "fabric.lab.builder"]
    return os.posix_spawn(
        shutil.which("unshare", path=SEARCH_PATH) or "unshare",
        [*command, str(folder)],
        {**os.environ, "PATH": f"{SEARCH_PATH}:{os.environ.get('PATH', '')}"},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, says, 1),
            (os.POSIX_SPAWN_OPEN, 2, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        ],
        setsid=True,
    )


def _follow(hears: int, log: Path, progress: Callable[[str], None]) -> None:
    """Pass on the builder's progress until it is ready; UsageError when it fails, ends or falls silent."""
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(hears, selectors.EVENT_READ)
        while selector.select(_SILENCE):
            piece = os.read(hears, 4096)
            if not piece:
                raise UsageError("the lab's builder ended unexpectedly", where=str(log), hint=tail(log))
            *lines, said = (said + piece).split(b"\n")
            if any(_understood(json.loads(line), log, progress) for line in lines):
                return
    raise UsageError(f"the lab's builder was silent for {_SILENCE:g} s", where=str(log), hint=tail(log))


def _understood(words: dict[str, str | bool], log: Path, progress: Callable[[str], None]) -> bool:
    """Take one message; True when the lab is ready, UsageError when it failed."""
    if "failed" in words:
        raise UsageError(f"the lab could not be built: {words['failed']}", where=str(log), hint=str(words["hint"]))
    with contextlib.suppress(KeyError):
        progress(str(words["progress"]))
    return "ready" in words

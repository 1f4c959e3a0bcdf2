"""Processes by pid and start time, so that a recycled pid is never taken for the one that was meant."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Process:
    """A process of this machine: its pid, and its start time in clock ticks since boot."""

    pid: int
    start: int


def process(pid: int) -> Process | None:
    """Return the process that has this pid now; None when there is none, or only its exit status is left."""
    try:
        # The second field is the program's name in parentheses and may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else Process(pid, int(fields[19]))


def alive(one: Process) -> bool:
    """Tell whether exactly this process still runs."""
    return process(one.pid) == one


def children(pid: int) -> tuple[int, ...]:
    """Return the pids of the children of a process; none when it has ended."""
    try:
        return tuple(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return ()


def inner_pids(parent: int) -> Mapping[int, int]:
    """Return the children of a process by the pids that they have in its own PID namespace."""
    found: dict[int, int] = {}
    for child in children(parent):
        with contextlib.suppress(OSError):
            pids = _pids(child)
            # The last pid of the parent is its own in the namespace by which it counts its children.
            depth = len(_pids(parent)) - 1
            if len(pids) > depth:
                found[pids[depth]] = child
    return found


def _pids(pid: int) -> tuple[int, ...]:
    """Return the pids of a process from our PID namespace inwards; none when the kernel does not tell."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("NSpid:"):
            return tuple(map(int, line.split()[1:]))
    return ()


def kill(one: Process, deadline: float = 20.0) -> bool:
    """Kill exactly this process and wait for its end, at most ``deadline`` seconds; False when it had already ended."""
    try:
        handle = os.pidfd_open(one.pid)
    except OSError:
        return False
    try:
        # The handle now names one process for good: if it is the right one here, the signal cannot hit another.
        if not alive(one):
            return False
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    finally:
        os.close(handle)
    end = time.monotonic() + deadline
    while alive(one) and time.monotonic() < end:
        time.sleep(0.01)
    # When it was started by this very process, its exit status must be taken, or it stays in the table.
    with contextlib.suppress(ChildProcessError):
        os.waitpid(one.pid, os.WNOHANG)
    return not alive(one)


def kill_with_children(one: Process) -> bool:
    """Kill the children of a process first, then it: when it has ended, so have they, and all that they ruled.

    The first process of a PID namespace ends only after everything in the namespace has ended, and its parent
    sees its end only then. False when it had already ended.
    """
    if not alive(one):
        return False
    for child in filter(None, map(process, children(one.pid))):
        kill(child)
    kill(one)
    return True

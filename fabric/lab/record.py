"""What is on record of a lab, in its folder: the process to kill, what was built, and the faults that are active."""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from fabric.errors import UsageError
from fabric.lab.access import write
from fabric.lab.plan import LabPlan, load
from fabric.lab.processes import Process, alive, children, inner_pids

_OWNER = "lab.json"
_FAULTS = "faults.json"


@dataclass(frozen=True, slots=True)
class Fault:
    """An active fault: kind, the places given with it, the sentence about it, and the shell command that undoes it.

    Faults of cables have no command: the wiring follows from the faults that are left.
    """

    kind: str
    at: tuple[str, ...]
    text: str
    node: str = ""
    undo: str = ""


@dataclass(frozen=True)
class Built:
    """A lab that is up. ``pids`` are those of the nodes' first processes, as this machine counts them.

    A node that has ended is missing in ``pids``; ``ports`` are on 127.0.0.1; ``patch`` is the path of the patch
    panel's network namespace.
    """

    owner: Process
    plan: LabPlan
    pids: dict[str, int]
    ports: dict[str, int]
    patch: str
    faults: tuple[Fault, ...]


def own(folder: Path, owner: Process) -> None:
    """Record the process whose end is the lab's end."""
    write(folder / _OWNER, json.dumps({"format_version": 1} | asdict(owner)))


def owner(folder: Path) -> Process | None:
    """Return the process that keeps the lab alive; None when there is none, or another one has its pid now."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        raw = json.loads((folder / _OWNER).read_text())
        found = Process(raw["pid"], raw["start"])
        return found if alive(found) else None
    return None


def built(folder: Path) -> Built | None:
    """Return the lab of a folder; None when none is up, or it is still being built."""
    keeper = owner(folder)
    builder = next(iter(children(keeper.pid)), None) if keeper else None
    if keeper is None or builder is None or not (folder / "built.json").exists():
        return None
    raw = json.loads((folder / "built.json").read_text())
    by_inner = inner_pids(builder)
    nodes = raw["nodes"]
    return Built(
        keeper,
        load((folder / "plan.json").read_text()),
        {name: by_inner[node["pid"]] for name, node in nodes.items() if node["pid"] in by_inner},
        {name: node["port"] for name, node in nodes.items()},
        f"/proc/{builder}/fd/{raw['patch']}",
        _faults(folder),
    )


def keep_faults(folder: Path, faults: tuple[Fault, ...]) -> None:
    """Record the faults that are active."""
    write(folder / _FAULTS, json.dumps([asdict(fault) for fault in faults], indent=1))


def _faults(folder: Path) -> tuple[Fault, ...]:
    file = folder / _FAULTS
    rows = json.loads(file.read_text()) if file.exists() else []
    return tuple(Fault(**(row | {"at": tuple(row["at"])})) for row in rows)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder while a lab is built, changed or taken down; UsageError when someone else holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    # Beside the folder: the lock must outlive what it guards.
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"the lab {folder.name} is being changed by another command",
                hint="wait until it has ended",
            ) from None
        yield

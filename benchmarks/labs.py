"""The lab: build, plan, apply and verify real fabrics of namespaces, against OpenSSH's client in the same run."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from fabrics import Fabric
from machine import cores, settle
from measure import FABRIC, Cost, Failed, must, run, spread
from peers import JOBS, logins, namespaces
from tables import Cell, Column, Table

_LIMITS = {"up": 300.0, "plan": 300.0, "apply": 1200.0, "verify": 600.0, "down": 120.0}
"""Seconds after which a command is given up."""
_ASK = "from fabric.lab.control import missing; print(*(each.message for each in missing()), sep='; ')"
_BARE, _BUILD, _DOWN = "bare namespaces (peer)", "lab up", "lab down"
_LOGIN, _PLAN, _APPLY = "ssh NODE true (peer)", "plan, all to do", "apply"
_EMPTY, _VERIFY = "plan, nothing to do", "verify"
_OVER_SSH = (_LOGIN, _PLAN, _APPLY, _EMPTY, _VERIFY)
_PEERS = {_BARE: _BARE, _BUILD: _BARE, _DOWN: _BARE} | dict.fromkeys(_OVER_SSH, _LOGIN)
"""The steps in the order of the table, each with what it is compared with."""
_COLUMNS = (
    Column("step", "step"),
    Column("wall_s", "wall s", 2),
    Column("wall_ratio", "wall / peer", 1),
    Column("cpu_ms_per_device", "client CPU ms per device", 1),
    Column("cpu_ratio", "CPU / peer", 2),
    Column("peak_mib", "peak MiB"),
)
_GROWTH = (
    Column("step", "step"),
    Column("wall_ms", "wall ms", 1),
    Column("wall_ratio", "wall / peer", 1),
    Column("cpu_ms", "client CPU ms", 1),
    Column("cpu_ratio", "CPU / peer", 2),
)
_READING = (
    f"ssh: OpenSSH's client, one login and `true` per node, {JOBS} at a time, as `fabric plan` reads {JOBS} at a time",
    "client CPU: of the command itself; daemons, sshd and shells of the nodes share the cores and are in wall only",
    "lab up leaves its builder running, whose CPU is therefore not counted; bare namespaces: as many, made and left",
)


@dataclass(frozen=True, slots=True)
class Lives:
    """How often a lab is built, the rounds of logins and plans in each life, and seconds to wait for quiet."""

    lives: int
    rounds: int
    patience: float


@dataclass(slots=True)
class Lab:
    """One fabric on this machine: the folder of its file, a state folder of its own, and the costs so far."""

    fabric: Fabric
    folder: Path
    state: Path
    costs: dict[str, list[Cost]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def keep(self, step: str, cost: Cost) -> None:
        """Count the cost of a step."""
        self.costs.setdefault(step, []).append(cost)

    def call(self, *words: str, good: tuple[int, ...] = (0,)) -> Cost:
        """Run a command of `fabric` on the lab; Failed when it ends with another code than ``good``."""
        argv = (FABRIC, *words, self.folder)
        env = {**os.environ, "FABRIC_STATE": str(self.state), "NO_COLOR": "1"}
        limit = next(seconds for word, seconds in _LIMITS.items() if word in words)
        return must(run(argv, limit=limit, env=env), argv, good=good)

    @property
    def access(self) -> Path:
        """Where the lab says how its nodes are reached."""
        return self.state / "labs" / self.fabric.name / "access.json"


def lacking() -> str:
    """Return in words what this machine lacks to run labs; empty when nothing."""
    argv = (sys.executable, "-c", _ASK)
    return must(run(argv, limit=60), argv).out.strip()


def lab(fabric: Fabric, extent: Lives, scratch: Path, say: Callable[[str], None]) -> Lab:
    """Measure so many lives of one lab; after a failure it holds what was measured before it.

    A life is: build; so many rounds of logins and a plan; apply; a plan that must be empty; verify; down.
    Whatever happens, the lab is taken down; when that fails, a failure says how to do it by hand.
    """
    home = scratch / fabric.name
    made = Lab(fabric, fabric.write(home / "intent"), home / "state")
    made.notes.append(f"{fabric.devices} nodes, {fabric.cables} cables; lives from lab up to lab down: {extent.lives}")
    try:
        for number in range(1, extent.lives + 1):
            say(f"lab {fabric.name}, life {number} of {extent.lives}, state in {made.state}")
            made.notes.append(f"life {number}: {settle(extent.patience)}")
            _live(made, extent.rounds, say)
    except Failed as error:
        made.failures.insert(0, str(error))
    return made


def table(made: Lab) -> Table:
    """Return the figures of one lab, each step beside its peer."""
    size = made.fabric
    title = f"Lab of {size.spines} spines, {size.leaves} leaves, {size.hosts} hosts"
    rows = [_row(made, step) for step in _PEERS if made.costs.get(step)]
    return Table(size.name, title, _COLUMNS, rows, [*made.notes, *_READING], made.failures)


def growth(small: Lab, large: Lab) -> Table:
    """Return what each further node cost, from one lab to a larger one: start-up and other fixed costs fall out."""
    title = f"Each further node, from {small.fabric.devices} to {large.fabric.devices}"
    walls = {step: _added(small, large, step, attrgetter("wall")) for step in _OVER_SSH}
    cpus = {step: _added(small, large, step, attrgetter("cpu")) for step in _OVER_SSH}
    found = Table("lab-growth", title, _GROWTH)
    for step in _OVER_SSH:
        found.rows.append(
            {
                "step": step,
                "wall_ms": walls[step],
                "wall_ratio": walls[step] / walls[_LOGIN],
                "cpu_ms": cpus[step],
                "cpu_ratio": cpus[step] / cpus[_LOGIN],
            }
        )
    return found


def _added(small: Lab, large: Lab, step: str, of: Callable[[Cost], float]) -> float:
    """Return the milliseconds that each node cost by which one lab is larger; medians of both."""
    more, less = (spread(map(of, made.costs[step])).median for made in (large, small))
    return (more - less) * 1000 / (large.fabric.devices - small.fabric.devices)


def _live(made: Lab, rounds: int, say: Callable[[str], None]) -> None:
    made.keep(_BARE, namespaces(made.fabric.devices, cores()))
    with _up(made):
        for _ in range(rounds):
            made.keep(_LOGIN, logins(made.access))
            made.keep(_PLAN, made.call("plan", "--detailed-exitcode", good=(2,)))
        say("  apply")
        made.keep(_APPLY, made.call("apply", "--yes"))
        made.keep(_EMPTY, made.call("plan", "--detailed-exitcode"))
        say("  verify")
        made.keep(_VERIFY, made.call("verify"))


@contextmanager
def _up(made: Lab) -> Iterator[None]:
    """Have the lab up inside, and down afterwards whatever happens; its state goes only when it is down."""
    try:
        made.keep(_BUILD, made.call("lab", "up"))
        yield
    finally:
        # A second Ctrl-C must not leave a lab behind.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            _take_down(made)
        finally:
            signal.signal(signal.SIGINT, before)


def _take_down(made: Lab) -> None:
    try:
        made.keep(_DOWN, made.call("lab", "down"))
    except Failed as error:
        by_hand = f"FABRIC_STATE={made.state} {FABRIC} lab down {made.folder}"
        made.failures.append(f"{error}; the lab may still be up, take it down with: {by_hand}")
    else:
        shutil.rmtree(made.state)


def left_up(scratch: Path) -> bool:
    """Tell whether a lab measured in this folder could not be taken down."""
    return any(scratch.glob("*/state/labs/*/lab.json"))


def _row(made: Lab, step: str) -> dict[str, Cell]:
    devices = made.fabric.devices
    mine, peer = made.costs[step], made.costs[_PEERS[step]]
    wall = spread(cost.wall for cost in mine)
    cpu = spread(cost.cpu for cost in mine)
    # The CPU of a build is in the builder that it leaves behind: there is nothing to compare.
    comparable = step in _OVER_SSH
    return {
        "step": step,
        "wall_s": wall,
        "wall_ratio": wall.median / spread(cost.wall for cost in peer).median,
        "cpu_ms_per_device": cpu.scaled(1000 / devices) if comparable else None,
        "cpu_ratio": cpu.median / spread(cost.cpu for cost in peer).median if comparable else None,
        "peak_mib": max(cost.peak for cost in mine),
    }

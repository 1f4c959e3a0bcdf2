"""Validate and render: CPU per device, how it grows, and how far it is from the floor measured in the same run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fabrics import pod
from measure import FABRIC, Cost, Spread, interleaved, must, run, spread
from tables import Cell, Column, Table

_LAB = Path(__file__).parents[1] / "inventories" / "lab"
_LAB_DEVICES, _LAB_CABLES = 10, 16
_FLOOR = Path(__file__).with_name("floor.py")
_FLOOR_IS = {
    "validate": "floor: import the same libraries and parse the same file as YAML",
    "render": "floor: import the same libraries, parse the same file, read the rendered texts and write them again",
}
_COLUMNS = (
    Column("fabric", "fabric"),
    Column("devices", "devices"),
    Column("cables", "cables"),
    Column("wall_ms", "wall ms"),
    Column("user_ms", "user CPU ms"),
    Column("user_ms_per_device", "per device", 2),
    Column("cpu_ms", "all CPU ms"),
    Column("cpu_ms_per_added_device", "per added device", 2),
    Column("peak_mib", "peak MiB"),
    Column("floor_ratio", "user CPU / floor", 2),
)


@dataclass(frozen=True, slots=True)
class _Case:
    """A fabric to measure, in its folder."""

    name: str
    folder: Path
    devices: int
    cables: int


@dataclass(frozen=True, slots=True)
class _Measured:
    """What one case cost; CPU (``cpu``: user and system) in milliseconds."""

    case: _Case
    costs: tuple[Cost, ...]
    cpu: Spread
    user: Spread
    floor: Spread

    def added(self, smaller: _Measured) -> float:
        """Return the milliseconds that each device cost by which this fabric is larger.

        Of the cheapest runs, for the difference of two medians would carry the noise of both; and with the kernel's
        part, for how the kernel divides a short run into user and system is a sample.
        """
        return (self.cpu.least - smaller.cpu.least) / (self.case.devices - smaller.case.devices)


def offline(hosts: Sequence[int], runs: int, scratch: Path) -> list[Table]:
    """Measure validate and render of the lab inventory and of pods with so many hosts; Failed when one fails."""
    pods = (_Case(f"{p.hosts} hosts", p.write(scratch / p.name), p.devices, p.cables) for p in map(pod, sorted(hosts)))
    cases = [_Case("inventories/lab", _LAB, _LAB_DEVICES, _LAB_CABLES), *pods]
    return [
        _table("validate", [_validate(case, runs) for case in cases], runs),
        _table("render", [_render(case, runs, scratch / "render" / case.name) for case in cases], runs),
    ]


def _validate(case: _Case, runs: int) -> _Measured:
    argv = (FABRIC, "validate", case.folder)
    floor = (sys.executable, _FLOOR, case.folder / "fabric.yaml")
    return _measured(case, {"fabric": partial(_run, argv), "floor": partial(_run, floor)}, runs)


def _render(case: _Case, runs: int, scratch: Path) -> _Measured:
    """Measure rendering into a new folder each time; the floor copies the texts of a tree rendered before."""
    tree, out = scratch / "tree", scratch / "out"
    _run((FABRIC, "render", case.folder, "-o", tree))
    argv = (FABRIC, "render", case.folder, "-o", out)
    floor = (sys.executable, _FLOOR, case.folder / "fabric.yaml", tree, out)
    return _measured(case, {"fabric": partial(_run_into, out, argv), "floor": partial(_run_into, out, floor)}, runs)


def _measured(case: _Case, commands: dict[str, partial[Cost]], runs: int) -> _Measured:
    costs = interleaved(commands, runs)
    user = {name: spread(cost.user * 1000 for cost in each) for name, each in costs.items()}
    cpu = spread(cost.cpu * 1000 for cost in costs["fabric"])
    return _Measured(case, tuple(costs["fabric"]), cpu, user["fabric"], user["floor"])


def _run(argv: Sequence[str | Path]) -> Cost:
    return must(run(argv, limit=300), argv)


def _run_into(out: Path, argv: Sequence[str | Path]) -> Cost:
    cost = _run(argv)
    shutil.rmtree(out)
    return cost


def _table(command: str, measured: Sequence[_Measured], runs: int) -> Table:
    table = Table(command, f"fabric {command}", _COLUMNS, [_row(each) for each in measured])
    pods = measured[1:]
    for smaller, larger, row in zip(pods, pods[1:], table.rows[2:], strict=False):
        row["cpu_ms_per_added_device"] = larger.added(smaller)
    table.notes.append(f"median (least-largest) of {runs} runs of each, in turn with its floor, after one not counted")
    table.notes.append(_FLOOR_IS[command])
    if len(pods) > 2:
        ratio = pods[-1].added(pods[-2]) / pods[-2].added(pods[0])
        table.notes.append(
            f"growth: a device of the last step cost {ratio:.2f} times one added before it (linear: 1.00)"
        )
    return table


def _row(measured: _Measured) -> dict[str, Cell]:
    return {
        "fabric": measured.case.name,
        "devices": measured.case.devices,
        "cables": measured.case.cables,
        "wall_ms": spread(cost.wall * 1000 for cost in measured.costs),
        "user_ms": measured.user,
        "user_ms_per_device": measured.user.median / measured.case.devices,
        "cpu_ms": measured.cpu,
        "cpu_ms_per_added_device": None,
        "peak_mib": max(cost.peak for cost in measured.costs),
        "floor_ratio": measured.user.median / measured.floor.median,
    }

"""Growth: validate, show and render of three-tier fabrics from 512 to 16,384 hosts: CPU per device, peak memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from fabrics import Pods, pods
from measure import FABRIC, Cost, Failed, must, run, spread
from tables import Cell, Column, Table

COMMANDS = ("validate", "show", "render")
LIMIT = 1800.0
"""Seconds after which a command is given up."""
_SMALL = 2048
"""Up to so many hosts a command is measured several times; above once, for it is long enough."""
_COLUMNS = (
    Column("hosts", "hosts"),
    Column("devices", "devices"),
    Column("cables", "cables"),
    *(
        column
        for name in COMMANDS
        for column in (
            Column(f"{name}_ms", f"{name}: user CPU ms per device", 2),
            Column(f"{name}_mib", "peak MiB"),
        )
    ),
)


def scale(hosts: Sequence[int], runs: int, scratch: Path, say: Callable[[str], None]) -> Table:
    """Measure the commands on fabrics with so many hosts; after a failure the table has what was measured before it."""
    table = Table("scale", "Growth", _COLUMNS)
    for fabric in map(pods, sorted(hosts)):
        say(f"scale: {fabric.hosts} hosts, {fabric.devices} devices")
        folder = fabric.write(scratch / fabric.name)
        times = runs if fabric.hosts <= _SMALL else 1
        try:
            costs = {name: [_cost(name, folder, scratch / "out") for _ in range(times)] for name in COMMANDS}
        except Failed as error:
            table.failures.append(str(error))
            break
        table.rows.append(_row(fabric, costs))
    table.notes.append(f"median (least-largest) of {runs} runs up to {_SMALL} hosts, one run above; none left out")
    table.notes.append("the cost of the whole process, start-up included; render with --no-rules, into a new folder")
    table.notes.append(
        "8 NICs per host, two ports of 400G on each leaf port, 16 leaves and 16 spines a pod; system frr"
    )
    table.notes += _linear(table.rows)
    return table


def _linear(rows: Sequence[dict[str, Cell]]) -> list[str]:
    """Say how the last doubling compares with the first one: per added device, of the medians."""
    if len(rows) < 3:
        return []
    return [
        f"{name}: a device of the last step cost {_ratio(rows, name):.2f} times one of the first" for name in COMMANDS
    ]


def _ratio(rows: Sequence[dict[str, Cell]], name: str) -> float:
    (first, second), (one, last) = rows[:2], rows[-2:]
    return _added(one, last, name) / _added(first, second, name)


def _added(less: dict[str, Cell], more: dict[str, Cell], name: str) -> float:
    devices = [number(row["devices"]) for row in (less, more)]
    whole = [number(row[f"{name}_ms"]) * count for row, count in zip((less, more), devices, strict=True)]
    return (whole[1] - whole[0]) / (devices[1] - devices[0])


def number(cell: Cell) -> float:
    """Return the value of a cell: its median where it is a spread."""
    return float(getattr(cell, "median", cell))  # type: ignore[arg-type]  # cells of these columns are numbers


def _cost(name: str, folder: Path, out: Path) -> Cost:
    argv = {
        "validate": (FABRIC, "validate", folder),
        "show": (FABRIC, "show", "-f", folder),
        "render": (FABRIC, "render", "--no-rules", folder, "-o", out),
    }[name]
    try:
        return must(run(argv, limit=LIMIT), argv)
    finally:
        shutil.rmtree(out, ignore_errors=True)


def _row(fabric: Pods, costs: dict[str, list[Cost]]) -> dict[str, Cell]:
    row: dict[str, Cell] = {"hosts": fabric.hosts, "devices": fabric.devices, "cables": fabric.cables}
    for name, each in costs.items():
        row[f"{name}_ms"] = spread(cost.user for cost in each).scaled(1000 / fabric.devices)
        row[f"{name}_mib"] = max(cost.peak for cost in each)
    return row

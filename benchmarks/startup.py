"""Start-up: what it takes to say anything at all, against a bare interpreter and the library of the command line."""

from __future__ import annotations

import sys
from functools import partial

from measure import FABRIC, Cost, interleaved, must, run, spread
from tables import Column, Table

_PEER = "python -c pass"
_COMMANDS = {
    _PEER: (sys.executable, "-c", "pass"),
    "python -c 'import typer'": (sys.executable, "-c", "import typer"),
    "fabric --version": (FABRIC, "--version"),
    "fabric --help": (FABRIC, "--help"),
}
_COLUMNS = (
    Column("command", "command"),
    Column("wall_ms", "wall ms", 1),
    Column("cpu_ms", "CPU ms", 1),
    Column("wall_ratio", "wall / bare python", 2),
    Column("cpu_ratio", "CPU / bare python", 2),
)


def startup(runs: int) -> Table:
    """Measure start-up; Failed when a command does not end well."""
    costs = interleaved({name: partial(_measure, argv) for name, argv in _COMMANDS.items()}, runs)
    table = Table("startup", "Start-up", _COLUMNS)
    walls = {name: spread(cost.wall for cost in each) for name, each in costs.items()}
    cpus = {name: spread(cost.cpu for cost in each) for name, each in costs.items()}
    for name in costs:
        table.rows.append(
            {
                "command": name,
                "wall_ms": walls[name].scaled(1000),
                "cpu_ms": cpus[name].scaled(1000),
                "wall_ratio": walls[name].median / walls[_PEER].median,
                "cpu_ratio": cpus[name].median / cpus[_PEER].median,
            }
        )
    table.notes.append(f"median (least-largest) of {runs} runs of each, in turn, after one that does not count")
    table.notes.append("limit of any Python command: bare python; of any command built on Typer: importing it")
    return table


def _measure(argv: tuple[str, ...]) -> Cost:
    return must(run(argv, limit=60), argv)

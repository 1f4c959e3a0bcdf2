"""Other renderers beside ours: pyavd and netlab on a fabric of the same nodes and cables, in the same run.

Both are installed with pip into an environment of their own, which this program makes, or finds made before.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from fabrics import Fabric
from measure import FABRIC, Cost, Failed, interleaved, must, run, spread
from tables import Cell, Column, Table

PACKAGES = ("pyavd==6.4.0", "networklab==26.10")
LIMIT = 900.0
"""Seconds after which a command is given up."""
_HERE = Path(__file__).parent
_OURS, _PYAVD, _NETLAB = "fabric render", "pyavd 6.4.0", "netlab create 26.10"
_COLUMNS = (
    Column("fabric", "spines/leaves/hosts"),
    Column("tool", "tool"),
    Column("devices", "devices with texts"),
    Column("user_s", "user CPU s", 2),
    Column("user_ms_per_device", "ms per device", 1),
    Column("ratio", "per device / ours", 1),
    Column("user_ms_per_switch", "ms per switch", 1),
    Column("peak_mib", "peak MiB"),
)
_NOTES = (
    "user CPU of the whole process, start-up and reading of the input included; three tools in turn",
    "all: the same nodes and cables, numbered /31s, eBGP; hosts have two NICs on two leaves",
    "fabric writes FRR and Linux texts of switches and hosts, and runs its rules first",
    "fabric: maps, queues, PFC and ECN are designed and checked; Linux is given DSCP maps and queues, it has no more",
    "pyavd writes EOS texts of switches, hosts have none (compare ms per switch); inputs are checked by schema",
    "pyavd: maps, queues, PFC and ECN are handed through in terms of EOS; no documentation is made",
    "netlab writes FRR and Linux texts of switches and hosts for containers, with provider file and inventory",
    "netlab has no words for traffic classes, PFC and ECN",
)


@dataclass(frozen=True, slots=True)
class _Tool:
    """How one tool is run, and of how many of the nodes it writes texts."""

    command: Callable[[], Cost]
    devices: int


def environment(folder: Path, say: Callable[[str], None]) -> str:
    """Make the environment of the other tools unless it is there; return what went wrong, empty when nothing did."""
    python = folder / "bin" / "python"
    try:
        if not python.exists():
            say(f"renderers: an environment with {', '.join(PACKAGES)} in {folder}")
            argv = (sys.executable, "-m", "venv", folder)
            must(run(argv, limit=LIMIT), argv)
        install = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES)
        must(run(install, limit=LIMIT), install)
    except Failed as error:
        return str(error)
    return ""


def renderers(fabrics: Sequence[Fabric], runs: int, venv: Path, scratch: Path) -> Table:
    """Measure all tools on each fabric; Failed when one fails."""
    table = Table("renderers", "Other renderers", _COLUMNS)
    for fabric in fabrics:
        tools = _tools(replace(fabric, links="10.128.0.0/16"), venv, scratch / "renderers" / fabric.name)
        costs = interleaved({name: tool.command for name, tool in tools.items()}, runs)
        table.rows += _rows(fabric, tools, costs)
    table.notes.append(f"median (least-largest) of {runs} runs of each, in turn, after one that does not count")
    table.notes += _NOTES
    return table


def _tools(fabric: Fabric, venv: Path, home: Path) -> dict[str, _Tool]:
    folder, out, topology = fabric.write(home / "intent"), home / "out", home / "netlab" / "topology.yml"
    numbers = tuple(str(each) for each in (fabric.spines, fabric.leaves, fabric.hosts))
    write = (sys.executable, _HERE / "renderer_netlab.py", *numbers, topology)
    must(run(write, limit=LIMIT), write)
    ours = (FABRIC, "render", folder, "-o", out)
    avd = (venv / "bin" / "python", _HERE / "renderer_pyavd.py", *numbers, out)
    netlab = (venv / "bin" / "netlab", "create", "--quiet", topology.name)
    return {
        _OURS: _Tool(partial(_into, out, ours, home), fabric.devices),
        _PYAVD: _Tool(partial(_into, out, avd, home), fabric.spines + fabric.leaves),
        _NETLAB: _Tool(partial(_netlab, topology, netlab), fabric.devices),
    }


def _into(out: Path, argv: Sequence[str | Path], home: Path) -> Cost:
    cost = must(run(argv, limit=LIMIT, cwd=home), argv)
    shutil.rmtree(out)
    return cost


def _netlab(topology: Path, argv: Sequence[str | Path]) -> Cost:
    """Run netlab in the folder of its topology, and take away all that it wrote there."""
    home = topology.parent
    path = os.pathsep.join((str(Path(argv[0]).parent), os.environ.get("PATH", "")))
    cost = must(run(argv, limit=LIMIT, cwd=home, env={**os.environ, "PATH": path}), argv)
    if not (home / "node_files").is_dir():
        raise Failed(f"{argv[0]} ended well, and wrote no files of nodes")
    for each in home.iterdir():
        if each.is_dir():
            shutil.rmtree(each)
        elif each != topology:
            each.unlink()
    return cost


def _rows(fabric: Fabric, tools: dict[str, _Tool], costs: dict[str, list[Cost]]) -> list[dict[str, Cell]]:
    users = {name: spread(cost.user for cost in each) for name, each in costs.items()}
    ours = users[_OURS].median / tools[_OURS].devices
    switches = fabric.spines + fabric.leaves
    return [
        {
            "fabric": f"{fabric.spines}/{fabric.leaves}/{fabric.hosts}",
            "tool": name,
            "devices": tool.devices,
            "user_s": users[name],
            "user_ms_per_device": users[name].scaled(1000 / tool.devices),
            "ratio": users[name].median / tool.devices / ours,
            "user_ms_per_switch": users[name].median * 1000 / switches,
            "peak_mib": max(cost.peak for cost in costs[name]),
        }
        for name, tool in tools.items()
    ]

"""Judging the largest inventory: the whole process against its limits, and where the time of the rules goes."""

from __future__ import annotations

import re
from pathlib import Path

from measure import FABRIC, Spread, must, run, spread
from tables import Cell, Column, Table

_LARGEST = Path(__file__).parents[1] / "inventories" / "ai1024"
_SECONDS, _MIB = 5, 600
_NAMED = 15
_LAP = re.compile(r"^\s*(?P<part>[\w.-]+(?: [\w.-]+)*)\s+(?P<ms>[\d,]+\.\d)\s+(?P<share>[\d.]+)%$", re.MULTILINE)


def judging(runs: int) -> list[Table]:
    """Measure `fabric validate` of inventories/ai1024 and profile it once; Failed when it fails."""
    argv = (FABRIC, "validate", _LARGEST)
    costs = [must(run(argv, limit=120), argv) for _ in range(runs)]
    whole = Table(
        "judging",
        "fabric validate inventories/ai1024",
        (
            Column("what", "what"),
            Column("measured", "measured", 2),
            Column("limit", "limit"),
            Column("ratio", "measured / limit", 2),
        ),
        [
            _row("wall s", spread(cost.wall for cost in costs), _SECONDS),
            _row("all CPU s", spread(cost.cpu for cost in costs), _SECONDS),
            _row("peak MiB", spread(cost.peak for cost in costs), _MIB),
        ],
        notes=[f"median (least-largest) of {runs} runs; all rules but those that only run on request"],
    )
    return [whole, _profile()]


def _row(what: str, measured: Spread, limit: int) -> dict[str, Cell]:
    return {"what": what, "measured": measured, "limit": limit, "ratio": measured.median / limit}


def _profile() -> Table:
    argv = (FABRIC, "validate", _LARGEST, "--profile")
    laps = [
        (lap["part"], float(lap["ms"].replace(",", ""))) for lap in _LAP.finditer(must(run(argv, limit=120), argv).err)
    ]
    total = next(ms for part, ms in laps if part == "sum")
    parts = [lap for lap in laps if lap[0] != "sum"]
    named, rest = parts[:_NAMED], parts[_NAMED:]
    rows = [{"part": part, "ms": ms, "share": 100 * ms / total} for part, ms in named]
    rows.append(
        {"part": f"{len(rest)} more", "ms": sum(ms for _, ms in rest), "share": 100 * sum(ms for _, ms in rest) / total}
    )
    columns = (Column("part", "part"), Column("ms", "CPU ms", 1), Column("share", "% of the sum", 1))
    return Table("profile", "Where the time goes", columns, rows, notes=["one run with --profile; CPU"])

"""Compare the headroom formulas with every distinct table that SONiC ships: `python benchmarks/headroom.py`.

Prints one line per table: rows that are exact to the byte, median and largest error of all rows and of those at
100 Gbit/s and more, and how far what would be set aside (`auto`) lies above the published value at least. A table of a
chip without constants is listed, and not judged. The tables are in ``tests/oracles``, with their origin.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any

from ruamel.yaml import YAML

from fabric.design.headroom import cells, merchant, nvidia_taken
from fabric.hardware.asics import Asic, MerchantPause, NvidiaPause
from fabric.hardware.lookup import asic
from fabric.units import parse_speed

ORACLES = Path(__file__).parents[1] / "tests" / "oracles"
FAST = 100_000_000_000
FRAME = 9216
_KIB = 1024
_OF_FITS = ("metres", "half", "mtu")


@dataclass(frozen=True, slots=True)
class Row:
    """A published row: bit/s, metres, the headroom and the bytes below it."""

    speed: int
    metres: int
    xoff: int
    xon: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A row beside the formula: ``value`` in bytes as tables round it, and what ``auto`` would set aside."""

    row: Row
    value: float
    auto: int

    @property
    def exact(self) -> bool:
        """Whether it is the published value to the byte."""
        return self.value == self.row.xoff

    @property
    def error(self) -> float:
        """The error in percent of the published value, above 0 where the formula is more."""
        return 100 * (self.value / self.row.xoff - 1)


@dataclass(frozen=True)
class Table:
    """A distinct table with what is known of it; see ``pg_tables.yaml``."""

    id: str
    chip: str
    file: str
    files: int
    rows: tuple[Row, ...]
    fits: tuple[Mapping[str, Any], ...]
    named: bool
    own: Mapping[str, Any] | None

    @property
    def label(self) -> str:
        """The folder of the table, or its last two where it is one for all devices."""
        return self.file.removesuffix("/pg_profile_lookup.ini").removeprefix("device/").partition("/")[2]

    def compared(self, *, single: bool = False) -> tuple[Compared, ...]:
        """Return all rows beside the formula, none where there are no constants.

        ``single`` uses one set of inputs for the whole table, also where some lengths have inputs of their own.
        """
        if self.fits:
            return tuple(self._nvidia(row, self._fit(row, single=single)) for row in self.rows)
        pause = self._merchant
        return tuple(_merchant(row, pause) for row in self.rows) if pause else ()

    @cached_property
    def _merchant(self) -> tuple[MerchantPause, int] | None:
        if self.own is not None:
            return MerchantPause(**{**self.own, "waste": Fraction(self.own["waste"])}), 1
        found = asic(self.chip)
        return (found.pause, found.cell) if found and isinstance(found.pause, MerchantPause) else None

    def _fit(self, row: Row, *, single: bool) -> Mapping[str, Any]:
        special = (fit for fit in self.fits if row.metres in fit.get("metres", ()))
        return self.fits[0] if single else next(special, self.fits[0])

    def _nvidia(self, row: Row, fit: Mapping[str, Any]) -> Compared:
        chip = asic(self.chip)
        assert isinstance(chip, Asic)
        assert isinstance(chip.pause, NvidiaPause)
        inputs = {key: value for key, value in fit.items() if key not in _OF_FITS}
        if "quanta" in inputs:
            inputs["quanta"] = {parse_speed(speed): quanta for speed, quanta in inputs["quanta"].items()}
        taken = nvidia_taken(chip, replace(chip.pause, **inputs), row.speed, row.metres, fit["mtu"])
        value = cells(taken / 2 if fit.get("half") else taken, _KIB)
        return Compared(row, value, value)


def _merchant(row: Row, known: tuple[MerchantPause, int]) -> Compared:
    pause, cell = known
    value = merchant(pause, row.speed, row.metres, FRAME)
    return Compared(row, value, cells(value * pause.margin, cell))


def tables() -> tuple[Table, ...]:
    """Return all distinct tables, in order of their files."""
    rows: dict[str, list[Row]] = {}
    with (ORACLES / "pg_profiles.csv").open(encoding="ascii", newline="") as file:
        for found in csv.DictReader(file):
            row = Row(int(found["speed_mbps"]) * 10**6, int(found["metres"]), int(found["xoff"]), int(found["xon"]))
            rows.setdefault(found["table"], []).append(row)
    known = YAML(typ="safe", pure=True).load(ORACLES / "pg_tables.yaml")
    return tuple(
        Table(
            id=name,
            chip=found["chip"],
            file=found["file"],
            files=found["files"],
            rows=tuple(rows[name]),
            fits=tuple(found.get("fits", ())),
            named=found.get("named", False),
            own=found.get("merchant"),
        )
        for name, found in known.items()
    )


def errors(rows: Sequence[Compared]) -> tuple[float, float]:
    """Return the median and the largest error, in percent and without sign."""
    found = [abs(row.error) for row in rows]
    return median(found), max(found)


def lines(found: Sequence[Table]) -> Iterator[str]:
    """Yield the report in Markdown."""
    yield "| table | chip | rows | exact | median % | max % | median % from 100G | max % from 100G | auto above % |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for table in found:
        compared = table.compared()
        head = f"| {table.label}{' *' if table.named else ''} | {table.chip} | {len(table.rows)} "
        yield head + (_figures(compared) if compared else "| no constants | | | | | ") + "|"
    of_nvidia = [table for table in found if table.fits]
    rows = sum(len(table.rows) for table in of_nvidia)
    once, each = (
        sum(row.exact for table in of_nvidia for row in table.compared(single=single)) for single in (True, False)
    )
    yield ""
    yield f"NVIDIA: {once} of {rows} rows exact with one set of inputs a table, {each} with inputs for single lengths."
    named = [row for table in found if table.named for row in table.compared()]
    worst = errors([row for row in named if row.row.speed >= FAST])[1]
    below = sum(row.auto < row.row.xoff for row in named)
    yield f"`*`: tables of merchant chips on which at most 7 % from 100G is promised: at most {worst:.1f} % there, and"
    yield f"{below} of {len(named)} rows of all speeds are more than what `auto` sets aside."


def _figures(compared: Sequence[Compared]) -> str:
    fast = [row for row in compared if row.row.speed >= FAST]
    cells_of = [f"{sum(row.exact for row in compared)}", *(f"{each:.1f}" for each in errors(compared))]
    cells_of += [f"{each:.1f}" for each in errors(fast)] if fast else ["", ""]
    cells_of.append(f"{min(100 * (row.auto / row.row.xoff - 1) for row in fast):.1f}" if fast else "")
    return "".join(f"| {each} " for each in cells_of)


if __name__ == "__main__":
    print("\n".join(lines(tables())))

"""Headrooms that vendors ship as one constant for many speeds and lengths: placeholders more than results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from fabric.units import parse_speed


@dataclass(frozen=True, slots=True)
class Constant:
    """A headroom of ``size`` bytes that the table of a chip has at all of ``speeds`` (bit/s), up to ``metres``.

    ``file`` is the folder of the device that it was found with.
    """

    size: int
    chip: str
    speeds: tuple[int, ...]
    metres: int
    file: str

    def covers(self, chip: str, speed: int, length: float) -> bool:
        """Tell whether the table that has it is about such a port: its chip, speed (bit/s) and cable (metres)."""
        return chip == self.chip and speed in self.speeds and length <= self.metres


@cache
def constants() -> Mapping[int, Constant]:
    """Return all of them by size."""
    file = files("fabric.hardware").joinpath("data", "headrooms", "constants.yaml")
    found: Mapping[str, Any] = YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8"))
    rows = (Constant(**{**row, "speeds": tuple(map(parse_speed, row["speeds"]))}) for row in found["constants"])
    return {row.size: row for row in rows}

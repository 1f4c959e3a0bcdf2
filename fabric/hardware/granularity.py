"""Granularity: the steps in which a system and a chip take a queue threshold, and how a size is fitted into them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, Literal, TypeAlias

Unit: TypeAlias = Literal["bytes", "segments", "percent"]

WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class Granularity:
    """A system's ``unit`` of thresholds, and the ``cell`` of the chip in bytes (1: not known).

    Bytes and segments come to whole cells; percents are parts of ``queue``, the bytes that one queue may hold (0: not
    known, and nothing can be said in percent).
    """

    unit: Unit = "bytes"
    cell: int = 1
    queue: int = 0

    def down(self, size: int | Fraction) -> int:
        """Return the bytes of the largest threshold that can be set and is not above ``size`` bytes."""
        if self.unit != "percent":
            return size // self.cell * self.cell
        return self._share(self.percent(floor(size))) if self.queue else 0

    def up(self, size: int | Fraction) -> int:
        """Return the bytes of the smallest threshold that can be set and is not below ``size`` bytes."""
        if self.unit != "percent":
            return ceil(Fraction(size) / self.cell) * self.cell
        return self._share(ceil(Fraction(size) * WHOLE / self.queue)) if self.queue else 0

    def words(self, size: int) -> str:
        """Return a threshold as the system writes it: ``199898 B``, ``787 segments``, ``4 percent``."""
        if self.unit == "percent":
            return (
                f"{self.percent(size)} percent" if self.queue else "no percent, as the buffer of the queue is not known"
            )
        return f"{size // self.cell} segments" if self.unit == "segments" and self.cell > 1 else f"{size} B"

    def said(self) -> str:
        """Return the steps in words: ``cells of 254 B``."""
        if self.unit == "percent":
            return f"percents of the {self.queue} B that one queue may hold"
        return f"cells of {self.cell} B" if self.cell > 1 else "single bytes, as no cell is known"

    def percent(self, size: int) -> int:
        """Return the largest whole percent of the queue that is not above a threshold in bytes."""
        found = size * WHOLE // self.queue
        return found + (self._share(found + 1) <= size)

    def _share(self, percent: int) -> int:
        return percent * self.queue // WHOLE

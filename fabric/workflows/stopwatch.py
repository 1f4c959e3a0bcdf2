"""Stopwatch: how much time of a processor each part of a command took, whatever else this machine does meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time


class Stopwatch:
    """Seconds by name; call it with a name for a ``with`` around the part. A part that comes again is added to."""

    def __init__(self) -> None:
        self._laps: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Measure a part, also one that raises."""
        start = process_time()
        try:
            yield
        finally:
            self._laps[name] = self._laps.get(name, 0.0) + process_time() - start

    def rows(self) -> tuple[tuple[str, str, str], ...]:
        """Return name, milliseconds and share of the sum of each part, the longest first, and last the sum."""
        whole = sum(self._laps.values())
        longest = sorted(self._laps.items(), key=lambda lap: -lap[1])
        return tuple(_row(name, seconds, whole) for name, seconds in (*longest, ("sum", whole)))


def _row(name: str, seconds: float, whole: float) -> tuple[str, str, str]:
    return name, f"{seconds * 1000:,.1f}", f"{100 * seconds / whole if whole else 0:.1f}%"

"""storms: what the PFC watchdog did."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class StormCount:
    """How often a queue was found paused for too long, how often it came back, and packets dropped meanwhile."""

    detected: int
    restored: int
    dropped: int


@dataclass(frozen=True)
class Storms(Facet[StormCount]):
    """Counts under ``<port> <queue>``."""

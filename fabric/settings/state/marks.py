"""marks: packets that queues marked (ECN)."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class MarkCount:
    """Packets that were marked (CE) since the counters were cleared."""

    packets: int


@dataclass(frozen=True)
class Marks(Facet[MarkCount]):
    """Counts under ``<port> <queue>``."""

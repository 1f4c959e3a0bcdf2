"""counters: packets and bytes per egress queue."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class QueueCount:
    """Packets and bytes sent since the queue was made, and packets dropped."""

    packets: int
    octets: int
    dropped: int


@dataclass(frozen=True)
class Counters(Facet[QueueCount]):
    """Counts under ``<port> <queue>``."""

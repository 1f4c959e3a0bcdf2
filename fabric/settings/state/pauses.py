"""pauses: PFC frames per port and priority."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class PauseCount:
    """PFC frames that named this priority since the counters were cleared: received from the other end, and sent."""

    received: int
    sent: int


@dataclass(frozen=True)
class Pauses(Facet[PauseCount]):
    """Counts under ``<port> <priority>``."""

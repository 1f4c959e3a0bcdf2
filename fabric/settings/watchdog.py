"""watchdog: what happens when a pause does not end."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Watch:
    """Detection and restoration time in milliseconds; ``action`` is ``drop``, ``forward`` or ``alert``."""

    detect: int
    restore: int
    action: str


@dataclass(frozen=True)
class Watchdog(Facet[Watch]):
    """PFC watchdogs under port names."""

"""watchdog: what happens when a pause does not end."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Watch:
    """Detection and restoration time in milliseconds; ``action`` is ``drop``, ``forward`` or ``alert``.

    ``priorities`` are those that are watched, absent where these are the ones that the port pauses. ``poll`` is how
    often the system looks, in milliseconds.
    """

    detect: int
    restore: int
    action: str
    priorities: Maybe[frozenset[int]] = ABSENT
    poll: Maybe[int] = ABSENT


@dataclass(frozen=True)
class Watchdog(Facet[Watch]):
    """PFC watchdogs under port names."""

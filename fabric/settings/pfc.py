"""pfc: which priorities a port pauses."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Pause:
    """The priorities (0..7) for which PFC is on, both received and sent."""

    priorities: frozenset[int]


@dataclass(frozen=True)
class Pfc(Facet[Pause]):
    """Pause under port names."""

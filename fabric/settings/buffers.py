"""buffers: headroom and thresholds of lossless priorities."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class PortBuffer:
    """``headroom`` in bytes per lossless priority; `ABSENT` where ``auto`` is open.

    ``alpha`` and ``lossy_alpha`` are the dynamic thresholds of lossless and of lossy queues.
    """

    headroom: Maybe[int] = ABSENT
    alpha: Maybe[float] = ABSENT
    lossy_alpha: Maybe[float] = ABSENT


@dataclass(frozen=True)
class Buffers(Facet[PortBuffer]):
    """Buffers under port names."""

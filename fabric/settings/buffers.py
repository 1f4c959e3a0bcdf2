"""buffers: headroom and thresholds of lossless priorities."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class PortBuffer:
    """``headroom`` in bytes per lossless priority; `ABSENT` where ``auto`` is open.

    ``alpha`` and ``lossy_alpha`` are the dynamic thresholds of lossless and of lossy queues, ``static`` the bytes at
    which a lossless priority group with a fixed limit pauses. ``length`` (metres of cable) and ``mtu`` (bytes) are what
    the headroom is computed for. The sender is asked to go on where a priority group has fewer than ``xon`` bytes, or
    ``xon_offset`` bytes fewer than its threshold, whichever the system has.
    """

    headroom: Maybe[int] = ABSENT
    alpha: Maybe[float] = ABSENT
    lossy_alpha: Maybe[float] = ABSENT
    static: Maybe[int] = ABSENT
    length: Maybe[float] = ABSENT
    mtu: Maybe[int] = ABSENT
    xon: Maybe[int] = ABSENT
    xon_offset: Maybe[int] = ABSENT


@dataclass(frozen=True)
class Buffers(Facet[PortBuffer]):
    """Buffers under port names."""

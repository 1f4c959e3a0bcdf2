"""ecn: where a queue begins to mark."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Marking:
    """Kmin and Kmax in bytes, Pmax in percent; `ABSENT` while ``auto`` is not computed."""

    queue: int
    kmin: Maybe[int] = ABSENT
    kmax: Maybe[int] = ABSENT
    pmax: Maybe[float] = ABSENT


@dataclass(frozen=True, slots=True)
class PortMarking:
    """The marking queues of a port, in order of their numbers."""

    queues: tuple[Marking, ...]


@dataclass(frozen=True)
class Ecn(Facet[PortMarking]):
    """Marking under port names."""

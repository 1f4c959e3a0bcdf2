"""ecn: where a queue begins to mark."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Marking:
    """Kmin and Kmax in bytes, Pmax in percent; `ABSENT` where ``auto`` is open.

    ``weight`` is the exponent by which the system averages the queue before it compares (0: it compares what is there).
    ``profile`` is the name of the system's object that holds the thresholds, which queues may share. ``drops`` says
    that packets are dropped between the thresholds instead of marked.
    """

    queue: int
    kmin: Maybe[int] = ABSENT
    kmax: Maybe[int] = ABSENT
    pmax: Maybe[float] = ABSENT
    weight: Maybe[int] = ABSENT
    profile: Maybe[str] = ABSENT
    drops: Maybe[bool] = ABSENT


@dataclass(frozen=True, slots=True)
class PortMarking:
    """The marking queues of a port, in order of their numbers."""

    queues: tuple[Marking, ...]


@dataclass(frozen=True)
class Ecn(Facet[PortMarking]):
    """Marking under port names."""

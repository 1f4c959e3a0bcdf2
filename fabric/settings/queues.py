"""queues: how a port's queues share the link."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Queue:
    """One egress queue: ``share`` in percent of the link (0 when only strict), ``strict`` queues are served first.

    ``limit`` is in bit/s, ``None`` when there is none. ``drops_above`` are the bytes beyond which the queue drops at
    egress, ``None`` when it may have all that there is.
    """

    number: int
    share: int
    strict: bool = False
    limit: Maybe[int | None] = ABSENT
    drops_above: Maybe[int | None] = ABSENT


@dataclass(frozen=True, slots=True)
class Scheduler:
    """The queues of a port in order of their numbers. Ports that schedule alike refer to one value."""

    queues: tuple[Queue, ...]


@dataclass(frozen=True)
class Queues(Facet[Scheduler]):
    """Schedulers under port names; a port without a row has the system's plain queue."""

"""What classes mean on a port: maps, queues, PFC, ECN, watchdog, buffers, NIC and DCQCN; one value each for all ports.

Where two classes claim one DSCP or priority, the first of the file has it here; rules report the claim. Priorities of
no class go to the queue of ``default``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from fabric.design.classes import DEFAULT, DSCPS, job_class
from fabric.settings.buffers import PortBuffer
from fabric.settings.dcqcn import Parameters
from fabric.settings.ecn import Marking, PortMarking
from fabric.settings.facet import ABSENT, Maybe
from fabric.settings.maps import ClassMap
from fabric.settings.nic import NicPort
from fabric.settings.pfc import Pause
from fabric.settings.queues import Queue, Scheduler
from fabric.settings.watchdog import Watch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.design.model import TrafficClass
    from fabric.intent.models import Intent

PRIORITIES = 8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Quality:
    """The values that every port of a kind is given; ``None`` where the intent asks for none.

    ``queues`` are under the speed of the port in bit/s, for every speed of a cable. ``buffer`` is ``None`` where the
    intent has no opinion; ``nic`` likewise.
    """

    maps: ClassMap
    queues: Mapping[int, Scheduler]
    pfc: Pause
    ecn: PortMarking | None
    watchdog: Watch | None
    buffer: PortBuffer | None
    nic: NicPort | None
    mlx5: Parameters | None


def quality(intent: Intent, classes: tuple[TrafficClass, ...]) -> Quality:
    """Return what every port is given."""
    return Quality(
        maps=_maps(classes),
        queues={cable.speed: _scheduler(classes, cable.speed) for cable in intent.topology.cables},
        pfc=Pause(frozenset(found.priority for found in classes if found.lossless)),
        ecn=_marking(classes),
        watchdog=_watch(intent),
        buffer=_buffer(intent),
        nic=_nic(intent, job_class(intent, classes)),
        mlx5=_mlx5(intent),
    )


def _maps(classes: tuple[TrafficClass, ...]) -> ClassMap:
    priorities = [0] * DSCPS
    queues: dict[int, int] = {}
    for found in reversed(classes):  # so that the first one of the file is the last to write
        queues[found.priority] = found.queue
        for dscp in found.dscps:
            priorities[dscp] = found.priority
    default = next(found.queue for found in classes if found.name == DEFAULT)
    return ClassMap(tuple(priorities), tuple(queues.get(priority, default) for priority in range(PRIORITIES)))


def _scheduler(classes: tuple[TrafficClass, ...], speed: int) -> Scheduler:
    rows: dict[int, Queue] = {}
    for found in classes:
        earlier = rows.get(found.queue)
        rows[found.queue] = Queue(
            number=found.queue,
            share=found.share + (earlier.share if earlier else 0),
            strict=found.strict or (earlier is not None and earlier.strict),
            limit=(earlier.limit if earlier else None) or effective(found.limit, speed),
        )
    return Scheduler(tuple(rows[number] for number in sorted(rows)))


def effective(limit: int | None, speed: int) -> int | None:
    """Return a limit on a port of this speed, both in bit/s: one that the port cannot exceed is none, and reads so."""
    return limit if limit is not None and limit < speed else None


def _marking(classes: tuple[TrafficClass, ...]) -> PortMarking | None:
    rows: dict[int, Marking] = {}
    for found in classes:
        if found.ecn:
            row = Marking(found.queue, _maybe(found.kmin), _maybe(found.kmax), _maybe(found.pmax))
            rows.setdefault(found.queue, row)
    return PortMarking(tuple(rows[number] for number in sorted(rows))) if rows else None


def _maybe(value: T | None) -> Maybe[T]:
    return ABSENT if value is None else value


def _watch(intent: Intent) -> Watch | None:
    pfc = intent.pfc
    found = pfc.watchdog if pfc else None
    return Watch(found.detect, found.restore, found.action) if found else None


def _buffer(intent: Intent) -> PortBuffer | None:
    found = intent.buffers
    if found is None:
        return None
    return PortBuffer(
        headroom=ABSENT if found.headroom == "auto" else found.headroom,
        alpha=ABSENT if found.alpha is None else float(found.alpha),
    )


def _nic(intent: Intent, job: TrafficClass | None) -> NicPort | None:
    found = intent.nic_settings
    mark = job.mark if job else None
    if found is None and mark is None:
        return None
    return NicPort(
        rdma_mtu=_maybe(found.rdma_mtu) if found else ABSENT,
        traffic_class=ABSENT if mark is None else mark * 4,
        persist=found.persist if found else ABSENT,
    )


def _mlx5(intent: Intent) -> Parameters | None:
    found = intent.nic_settings
    values = found.mlx5.dcqcn if found and found.mlx5 else {}
    return Parameters(tuple(sorted(values.items()))) if values else None

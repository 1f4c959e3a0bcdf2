"""What classes mean on a port: maps, queues, PFC, ECN, watchdog, buffers; and on NICs of a driver.

Where two classes claim one DSCP or priority, the first of the file has it here; rules report the claim. Priorities of
no class go to the queue of ``default``. A port that does not carry a class has no queue, PFC or ECN of it: its DSCPs
are those of ``default`` there, and so is its share (``default`` strict: the first class with a share has it).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from fabric.design.classes import DEFAULT, DRIVERS, DSCPS, cnp_dscp, driver_settings, job_class
from fabric.design.faults import Gathered, fault
from fabric.errors import DesignError
from fabric.settings.balance import Balance
from fabric.settings.buffers import PortBuffer
from fabric.settings.dcqcn import Parameters
from fabric.settings.ecn import Marking, PortMarking
from fabric.settings.facet import ABSENT, Maybe
from fabric.settings.maps import ClassMap
from fabric.settings.nic import NicPort
from fabric.settings.pfc import Pause
from fabric.settings.pools import BufferPool
from fabric.settings.queues import Queue, Scheduler
from fabric.settings.watchdog import Watch
from fabric.units import format_speed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabric.design.model import TrafficClass
    from fabric.intent.document import Document
    from fabric.intent.models import Intent

PRIORITIES = 8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PortQuality:
    """What one port is given; ``None`` where the intent asks for none (``buffer``: where it has no opinion)."""

    maps: ClassMap
    queues: Scheduler
    pfc: Pause
    ecn: PortMarking | None
    watchdog: Watch | None
    buffer: PortBuffer | None


@dataclass(frozen=True)
class Quality:
    """What ports, NICs and switches are given. Equal answers are one object.

    ``ports`` are under speed in bit/s and host role (``None`` between switches), ``nics`` under driver (``None`` for
    those that send no CNPs of ours) and host role (``None`` where no role is asked about), ``parameters`` and
    ``cnp_dscps`` under driver names. ``pools`` are the buffer pools that the intent names; ``balance`` and ``bfd`` are
    absent where it does not speak of routing.
    """

    classes: tuple[TrafficClass, ...]
    ports: Mapping[tuple[int, str | None], PortQuality]
    nics: Mapping[tuple[str | None, str | None], NicPort | None]
    parameters: Mapping[str, Parameters]
    cnp_dscps: Mapping[str | None, int | None]
    pools: Mapping[str, BufferPool]
    balance: Balance | None
    bfd: Maybe[bool]

    def on(self, speed: int, edge: str | None) -> PortQuality:
        """Return what a port of this speed (bit/s) is given.

        ``edge`` is the host role at the other end of a leaf's port, or the host's own role; ``None`` between switches.
        DesignError when a threshold is given per speed, and not for this one.
        """
        found = self.ports.get((speed, edge))
        if found is None:
            message = next(_lacking(self.classes, speed, edge), None)
            if message is None:
                raise KeyError((speed, edge))
            raise DesignError(message[1], where=message[0], hint=message[2])
        return found

    def nic(self, driver: str, edge: str | None = None) -> NicPort | None:
        """Return what a port of a NIC is given, where its host has role ``edge``; ``None`` without an opinion."""
        return self.nics[driver if driver in self.cnp_dscps else None, edge]

    def dcqcn(self, driver: str) -> Parameters | None:
        """Return the DCQCN parameters for NICs of a driver, ``None`` where the intent gives none."""
        return self.parameters.get(driver)

    def cnp_dscp(self, driver: str) -> int | None:
        """Return the DSCP of CNPs that NICs of a driver send, ``None`` where neither they nor ``cnp`` have one."""
        return self.cnp_dscps.get(driver)


def quality(intent: Intent, classes: tuple[TrafficClass, ...], speeds: Iterable[int]) -> Quality:
    """Return what ports at these speeds (bit/s), NICs and switches are given."""
    edges = (None, *intent.topology.hosts)
    wanted = [(speed, edge) for speed in sorted(set(speeds)) for edge in edges]
    shared: dict[PortQuality, PortQuality] = {}
    ports: dict[tuple[int, str | None], PortQuality] = {}
    for speed, edge in wanted:
        if next(_lacking(classes, speed, edge), None) is None:
            found = _port(intent, tuple(each for each in classes if each.carried(edge)), classes, speed)
            ports[speed, edge] = shared.setdefault(found, found)
    routing = intent.routing
    cnps: dict[str | None, int | None] = {driver: cnp_dscp(intent, classes, driver) for driver in DRIVERS}
    return Quality(
        classes=classes,
        ports=ports,
        nics={
            (driver, edge): _nic(intent, job_class(intent, classes, edge), driver, cnps.get(driver))
            for driver in (None, *DRIVERS)
            for edge in edges
        },
        parameters=dict(_parameters(intent)),
        cnp_dscps=cnps,
        pools=_pools(intent),
        balance=None if routing is None else Balance(routing.load_balance),
        bfd=ABSENT if routing is None else routing.bfd,
    )


def check_speeds(document: Document, classes: tuple[TrafficClass, ...], used: Iterable[tuple[int, str | None]]) -> None:
    """Raise one DesignError for all thresholds that are given per speed, and not for a speed that is used.

    ``used`` are the speeds (bit/s) of ports that there are, each with the host role as in `Quality.on`.
    """
    faults = Gathered()
    for speed, edge in dict.fromkeys(used):
        for path, message, hint in _lacking(classes, speed, edge):
            with faults:
                raise fault(document, path, message, hint)
    faults.end()


def _lacking(classes: tuple[TrafficClass, ...], speed: int, edge: str | None) -> Iterator[tuple[str, str, str]]:
    """Yield path, message and hint of each threshold that a port of this speed needs and does not have."""
    for found in classes:
        if not found.carried(edge):
            continue
        for key, sizes in (("min", found.kmin_by_speed), ("max", found.kmax_by_speed)):
            known = [listed for listed, _ in sizes]
            if known and speed not in known:
                path = f"classes.{found.name}.ecn.{key}"
                given = ", ".join(format_speed(listed) for listed in known)
                message = (
                    f"{path} has no size for {format_speed(speed)}, and ports run at it; there are sizes for {given}"
                )
                yield path, message, f"add {format_speed(speed)}: SIZE, or give one size for all speeds"


def _port(
    intent: Intent, carried: tuple[TrafficClass, ...], classes: tuple[TrafficClass, ...], speed: int
) -> PortQuality:
    return PortQuality(
        maps=_maps(carried),
        queues=_scheduler(_inherited(carried, classes), speed),
        pfc=Pause(frozenset(found.priority for found in carried if found.lossless)),
        ecn=_marking(carried, speed),
        watchdog=_watch(intent),
        buffer=_buffer(intent),
    )


def _maps(classes: tuple[TrafficClass, ...]) -> ClassMap:
    default = next(found for found in classes if found.name == DEFAULT)
    priorities = [default.priority] * DSCPS
    queues: dict[int, int] = {}
    for found in reversed(classes):  # so that the first one of the file is the last to write
        queues[found.priority] = found.queue
        for dscp in found.dscps:
            priorities[dscp] = found.priority
    return ClassMap(tuple(priorities), tuple(queues.get(priority, default.queue) for priority in range(PRIORITIES)))


def _inherited(carried: tuple[TrafficClass, ...], classes: tuple[TrafficClass, ...]) -> tuple[TrafficClass, ...]:
    """Return the classes of a port with the shares of those that it does not carry given to an heir."""
    left = sum(found.share for found in classes) - sum(found.share for found in carried)
    heirs = sorted((found for found in carried if found.share), key=lambda found: found.name != DEFAULT)
    if not left or not heirs:
        return carried
    heir = heirs[0].name
    return tuple(replace(found, share=found.share + left) if found.name == heir else found for found in carried)


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


def _marking(classes: tuple[TrafficClass, ...], speed: int) -> PortMarking | None:
    rows: dict[int, Marking] = {}
    for found in classes:
        if found.ecn:
            kmin, kmax = found.kmin_on(speed), found.kmax_on(speed)
            rows.setdefault(found.queue, Marking(found.queue, _maybe(kmin), _maybe(kmax), _maybe(found.pmax)))
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
        lossy_alpha=ABSENT if found.lossy_alpha is None else float(found.lossy_alpha),
    )


def _pools(intent: Intent) -> Mapping[str, BufferPool]:
    override = intent.buffers.override if intent.buffers else {}
    return {name: BufferPool(found.size, _maybe(found.xoff)) for name, found in override.items()}


def _nic(intent: Intent, job: TrafficClass | None, driver: str | None, cnp: int | None) -> NicPort | None:
    found = intent.nic_settings
    mark = job.mark if job else None
    if found is None and mark is None:
        return None
    return NicPort(
        rdma_mtu=_maybe(found.rdma_mtu) if found else ABSENT,
        traffic_class=ABSENT if mark is None else mark * 4,
        persist=found.persist if found else ABSENT,
        cnp_dscp=_maybe(cnp),
        # Classes are told apart by DSCP, and hosts are set by themselves; software RDMA has neither to set.
        trust="dscp" if driver else ABSENT,
        dcbx="host" if driver else ABSENT,
        cm_tos=ABSENT if mark is None else mark * 4,
        cm_mode=ABSENT if mark is None else "v2",
        read_request=_maybe(found.read_request) if found else ABSENT,
        relaxed_ordering=_maybe(found.relaxed_ordering) if found else ABSENT,
        acs=_maybe(found.acs) if found else ABSENT,
    )


def _parameters(intent: Intent) -> Iterator[tuple[str, Parameters]]:
    for driver, found in driver_settings(intent).items():
        if found.dcqcn:
            yield driver, Parameters(tuple(sorted(found.dcqcn.items())))

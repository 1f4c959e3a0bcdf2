"""Traffic classes with all defaults filled in.

Defaults: queue = priority; share 0; the class ``default`` holds every DSCP that no other class names, and all ports
carry it; mark = the only DSCP that the class names; congestion = dcqcn for RDMA classes with ECN, pfc-only for lossless
ones without, else none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fabric.design.model import TrafficClass
from fabric.design.profiles import PFC_ONLY
from fabric.intent.models import Intent
from fabric.intent.sections.classes import ClassIntent, EcnIntent

if TYPE_CHECKING:
    from fabric.intent.sections.hosts import DriverIntent

CNP = "cnp"
DEFAULT = "default"
DSCPS = 64
DRIVERS = ("mlx5", "bnxt")


def traffic_classes(intent: Intent) -> tuple[TrafficClass, ...]:
    """Return the classes in file order."""
    classes = intent.classes
    named = {dscp for name, found in classes.items() if name != DEFAULT for dscp in found.dscp}
    rest = tuple(dscp for dscp in range(DSCPS) if dscp not in named)
    return tuple(_filled(name, found, rest if name == DEFAULT else found.dscp) for name, found in classes.items())


def owners(classes: Iterable[TrafficClass]) -> Mapping[int, TrafficClass]:
    """Return the class of each DSCP: of those that claim it, the first."""
    found: dict[int, TrafficClass] = {}
    for each in classes:
        for dscp in each.dscps:
            found.setdefault(dscp, each)
    return found


def job_class(intent: Intent, classes: tuple[TrafficClass, ...], edge: str | None = None) -> TrafficClass | None:
    """Return the class whose mark RDMA traffic of hosts bears: that of ``jobs.nccl``, else the first RDMA class.

    With ``edge``, a host role, only classes that its ports carry count; ``None`` where there is none.
    """
    wanted = intent.jobs.nccl.class_ if intent.jobs is not None and intent.jobs.nccl is not None else None
    carried = tuple(found for found in classes if found.carried(edge))
    named = next((found for found in carried if found.name == wanted), None)
    return named or next((found for found in carried if found.rdma), None)


def communicator_classes(intent: Intent, classes: tuple[TrafficClass, ...]) -> Mapping[str, TrafficClass]:
    """Return the class of each communicator that ``jobs.nccl.communicators`` names, in file order."""
    nccl = intent.jobs.nccl if intent.jobs is not None else None
    by_name = {found.name: found for found in classes}
    return {name: by_name[each] for name, each in nccl.communicators.items()} if nccl is not None else {}


def driver_settings(intent: Intent) -> Mapping[str, DriverIntent]:
    """Return what ``nic_settings`` says of single drivers, under their names."""
    settings = intent.nic_settings
    found = {} if settings is None else {"mlx5": settings.mlx5, "bnxt": settings.bnxt}
    return {driver: each for driver, each in found.items() if each is not None}


def cnp_dscp(intent: Intent, classes: tuple[TrafficClass, ...], driver: str) -> int | None:
    """Return the DSCP of CNPs that NICs of a driver send: its ``cnp_dscp``, else the mark of class ``cnp``.

    ``None`` where neither is there.
    """
    own = driver_settings(intent).get(driver)
    if own is not None and own.cnp_dscp is not None:
        return own.cnp_dscp
    return next((found.mark for found in classes if found.name == CNP), None)


def _filled(name: str, intent: ClassIntent, dscps: tuple[int, ...]) -> TrafficClass:
    ecn = marks(intent)
    return TrafficClass(
        name=name,
        dscps=tuple(sorted(set(dscps))),
        mark=_mark(intent),
        priority=intent.priority,
        queue=intent.priority if intent.queue is None else intent.queue,
        rdma=intent.rdma,
        lossless=intent.lossless,
        strict=intent.strict,
        share=round(intent.share or 0),
        congestion=intent.congestion or _congestion(intent),
        limit=intent.limit,
        ecn=ecn is not None,
        kmin=_size(ecn.min) if ecn else None,
        kmax=_size(ecn.max) if ecn else None,
        pmax=ecn.probability if ecn and ecn.probability != "auto" else None,
        ecn_auto=_open(intent),
        kmin_by_speed=_sizes(ecn.min) if ecn else (),
        kmax_by_speed=_sizes(ecn.max) if ecn else (),
        profile=intent.ecn.profile if intent.ecn else None,
        incast=ecn.incast if ecn else None,
        flows=ecn.flows if ecn else None,
        edge=None if name == DEFAULT else intent.edge,
        traffic=intent.traffic,
    )


def _size(threshold: int | Mapping[int, int] | str) -> int | None:
    """Return the one size of a threshold, ``None`` where it is open or differs by speed."""
    return threshold if isinstance(threshold, int) else None


def _sizes(threshold: int | Mapping[int, int] | str) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(threshold.items())) if isinstance(threshold, Mapping) else ()


def _open(intent: ClassIntent) -> tuple[str, ...]:
    ecn = marks(intent)
    asked = (("kmin", ecn.min), ("kmax", ecn.max), ("pmax", ecn.probability)) if ecn else ()
    return tuple(field for field, value in asked if value == "auto")


def _mark(intent: ClassIntent) -> int | None:
    if intent.mark is not None:
        return intent.mark
    return intent.dscp[0] if len(intent.dscp) == 1 else None


def marks(intent: ClassIntent) -> EcnIntent | None:
    """Return what a class says of marking; ``None`` where nothing is to be marked."""
    return None if intent.ecn is None or intent.ecn.profile == PFC_ONLY else intent.ecn


def _congestion(intent: ClassIntent) -> str:
    if intent.rdma and marks(intent) is not None:
        return "dcqcn"
    return "pfc-only" if intent.rdma and intent.lossless else "none"

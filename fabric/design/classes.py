"""Traffic classes with all defaults filled in.

Defaults: queue = priority; share 0; the class ``default`` holds every DSCP that no other class names; mark = the only
DSCP that the class names; congestion = dcqcn for RDMA classes with ECN, pfc-only for lossless ones without, else none.
"""

from __future__ import annotations

from fabric.design.model import TrafficClass
from fabric.intent.models import ClassIntent, Intent

DEFAULT = "default"
DSCPS = 64


def traffic_classes(intent: Intent) -> tuple[TrafficClass, ...]:
    """Return the classes in file order."""
    classes = intent.classes
    named = {dscp for name, found in classes.items() if name != DEFAULT for dscp in found.dscp}
    rest = tuple(dscp for dscp in range(DSCPS) if dscp not in named)
    return tuple(_filled(name, found, rest if name == DEFAULT else found.dscp) for name, found in classes.items())


def job_class(intent: Intent, classes: tuple[TrafficClass, ...]) -> TrafficClass | None:
    """Return the class whose mark RDMA traffic of hosts bears: that of ``jobs.nccl``, else the first RDMA class."""
    if intent.jobs is not None and intent.jobs.nccl is not None:
        wanted = intent.jobs.nccl.class_
        return next(found for found in classes if found.name == wanted)
    return next((found for found in classes if found.rdma), None)


def _filled(name: str, intent: ClassIntent, dscps: tuple[int, ...]) -> TrafficClass:
    ecn = intent.ecn
    asked = (("kmin", ecn.min), ("kmax", ecn.max), ("pmax", ecn.probability)) if ecn else ()
    given = {field: value for field, value in asked if value != "auto"}
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
        kmin=_whole(given.get("kmin")),
        kmax=_whole(given.get("kmax")),
        pmax=given.get("pmax"),
        ecn_auto=tuple(field for field, value in asked if value == "auto"),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _mark(intent: ClassIntent) -> int | None:
    if intent.mark is not None:
        return intent.mark
    return intent.dscp[0] if len(intent.dscp) == 1 else None


def _congestion(intent: ClassIntent) -> str:
    if intent.rdma and intent.ecn is not None:
        return "dcqcn"
    return "pfc-only" if intent.rdma and intent.lossless else "none"

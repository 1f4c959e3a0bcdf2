"""Why classes, and what they mean on ports, are what they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fabric.design.classes import DEFAULT, DSCPS, job_class
from fabric.design.model import Origin, TrafficClass
from fabric.units import format_speed

if TYPE_CHECKING:
    from fabric.design.blueprint import Blueprint
    from fabric.intent.document import Document
    from fabric.intent.models import ClassIntent

_KEYS = {"dscps": "dscp", "ecn_auto": "ecn", "kmin": "ecn.min", "kmax": "ecn.max", "pmax": "ecn.probability"}
_PLACES = {"watchdog": "pfc.watchdog", "buffers": "buffers", "nic": "nic_settings", "dcqcn": "nic_settings.mlx5.dcqcn"}


def class_origin(document: Document, found: TrafficClass, field: str) -> Origin:
    """Return why a field of a class is what it is: as written, or by which default."""
    path = f"classes.{found.name}.{_KEYS.get(field, field)}"
    intent = document.intent.classes[found.name]
    if field == "dscps" and found.name == DEFAULT:
        reason = f"{DEFAULT} holds the {len(found.dscps)} of {DSCPS} DSCPs that no other class names"
    elif field in found.ecn_auto:
        reason = f"{path} is auto: open until it is computed"
    elif _written(intent, field):
        reason = f"written as {path}"
    else:
        reason = _default(found, field)
    return Origin(reason, document.place(path))


def _written(intent: ClassIntent, field: str) -> bool:
    key = _KEYS.get(field, field).partition(".")[0]
    return key in intent.model_fields_set and getattr(intent, key) is not None


def _default(found: TrafficClass, field: str) -> str:
    return {
        "dscps": "no DSCP is written: none",
        "mark": "not written: the only DSCP that the class names, none where it names several or none",
        "queue": f"not written: the priority, {found.priority}",
        "congestion": "not written: dcqcn for RDMA classes with ECN, pfc-only for lossless ones without, else none",
        "share": "not written: 0 percent",
        "limit": "not written: no limit",
    }.get(field, "not written: the class has no ECN" if field in _KEYS or field == "ecn" else "not written: false")


def quality_origin(blueprint: Blueprint, facet: str) -> Origin | None:
    """Return why ports are given what classes mean; ``None`` for facets that have nothing to do with classes."""
    reason = _quality(blueprint, facet)
    if not reason:
        return None
    return Origin(f"{reason}; alike on all cabled ports", blueprint.document.place(_PLACES.get(facet, "classes")))


def _quality(blueprint: Blueprint, facet: str) -> str:
    classes = blueprint.classes
    marked = (found for found in classes if found.ecn)
    lossless = (found for found in classes if found.lossless)
    return {
        "maps": "DSCP to priority to queue: "
        + _list(f"{found.name} {_dscps(found)} to {found.priority} to {found.queue}" for found in classes),
        "queues": "queues of the classes: "
        + _list(f"{found.queue} {found.name} {_served(found)}" for found in classes),
        "pfc": "priorities of lossless classes: " + _list(f"{found.priority} {found.name}" for found in lossless),
        "ecn": "queues of classes with ecn: " + _list(f"{found.queue} {found.name}" for found in marked),
        "nic": f"nic_settings; {_mark(blueprint)}",
        "watchdog": "written as pfc.watchdog",
        "buffers": "written as buffers; what is auto is open until it is computed",
        "dcqcn": "written as nic_settings.mlx5.dcqcn",
    }.get(facet, "")


def _served(found: TrafficClass) -> str:
    limit = "" if found.limit is None else f" up to {format_speed(found.limit)} (no limit on ports that are not faster)"
    return ("strict" if found.strict else f"{found.share}%") + limit


def _mark(blueprint: Blueprint) -> str:
    job = job_class(blueprint.document.intent, blueprint.classes)
    if job is None or job.mark is None:
        return "no class gives RDMA traffic a mark"
    return f"traffic class {job.mark * 4} = 4 x DSCP {job.mark} of class {job.name}"


def _dscps(found: TrafficClass) -> str:
    return str(found.dscps[0]) if len(found.dscps) == 1 else f"({len(found.dscps)} DSCPs)"


def _list(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "none"

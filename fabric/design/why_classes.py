"""Why classes, and what they mean on ports, are what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fabric.design.classes import CNP, DEFAULT, DRIVERS, DSCPS, driver_settings, job_class
from fabric.design.model import Origin, TrafficClass
from fabric.design.profiles import DEFAULT_PROFILE
from fabric.design.thresholds import DEFAULT_INCAST
from fabric.units import format_bytes, format_speed

if TYPE_CHECKING:
    from fabric.design.blueprint import Blueprint
    from fabric.intent.document import Document
    from fabric.intent.models import Intent
    from fabric.intent.sections.classes import ClassIntent

_KEYS = {
    "dscps": "dscp",
    "ecn_auto": "ecn",
    "kmin": "ecn.min",
    "kmax": "ecn.max",
    "pmax": "ecn.probability",
    "kmin_by_speed": "ecn.min",
    "kmax_by_speed": "ecn.max",
    "profile": "ecn.profile",
    "incast": "ecn.incast",
    "flows": "ecn.flows",
}
_SIZES = {"kmin": "kmin", "kmax": "kmax", "kmin_by_speed": "kmin", "kmax_by_speed": "kmax"}
_PLACES = {
    "watchdog": "pfc.watchdog",
    "nic": "nic_settings",
    "pools": "buffers.override",
    "balance": "routing.load_balance",
}
_WHOLE = frozenset({"pools", "balance"})


def class_origin(document: Document, found: TrafficClass, field: str) -> Origin:
    """Return why a field of a class is what it is: as written, or by which default."""
    path = f"classes.{found.name}.{_KEYS.get(field, field)}"
    intent = document.intent.classes[found.name]
    if field == "dscps" and found.name == DEFAULT:
        reason = f"{DEFAULT} holds the {len(found.dscps)} of {DSCPS} DSCPs that no other class names"
    elif field == "edge" and found.name == DEFAULT:
        reason = f"all ports carry {DEFAULT}: what no other class takes there is of it"
    elif _SIZES.get(field, field) in found.ecn_auto:
        reason = f"{path} is auto: computed for each kind of port, see `fabric show --class {found.name} --why`"
    elif field in _SIZES and found.ecn:
        reason = _sizes(found, field, path)
    elif _written(intent, field):
        reason = f"written as {path}"
    else:
        reason = _default(found, field)
    return Origin(reason, document.place(path))


def _sizes(found: TrafficClass, field: str, path: str) -> str:
    """Return why a threshold is one size, or one per speed."""
    listed = found.kmin_by_speed if _SIZES[field] == "kmin" else found.kmax_by_speed
    if listed:
        sizes = ", ".join(f"{format_bytes(size)} at {format_speed(speed)}" for speed, size in listed)
        return f"written as {path}, per speed: {sizes}"
    return f"written as {path}" if field == _SIZES[field] else f"written as {path}: one size for all speeds"


def _written(intent: ClassIntent, field: str) -> bool:
    key, _, part = _KEYS.get(field, field).partition(".")
    if key not in intent.model_fields_set or getattr(intent, key) is None:
        return False
    return not part or part in getattr(intent, key).model_fields_set


def _default(found: TrafficClass, field: str) -> str:
    with_ecn = {
        "profile": f"not written: {DEFAULT_PROFILE}, wherever something is auto",
        "incast": f"not written: auto reckons with {DEFAULT_INCAST} senders",
        "flows": "not written: delays are predicted for 2, 8 and 32 flows",
    }
    if field in with_ecn and found.ecn:
        return with_ecn[field]
    return {
        "dscps": "no DSCP is written: none",
        "mark": "not written: the only DSCP that the class names, none where it names several or none",
        "queue": f"not written: the priority, {found.priority}",
        "congestion": "not written: dcqcn for RDMA classes with ECN, pfc-only for lossless ones without, else none",
        "share": "not written: 0 percent",
        "limit": "not written: no limit",
        "edge": "not written: all ports carry the class",
        "traffic": "not written: no labels",
    }.get(field, "not written: the class has no ECN" if field in _KEYS or field == "ecn" else "not written: false")


def quality_origin(blueprint: Blueprint, facet: str) -> Origin | None:
    """Return why ports are given what classes mean; ``None`` for facets that have nothing to do with classes."""
    reason = _quality(blueprint, facet)
    if not reason:
        return None
    first = next(_parameters(blueprint.document.intent), "nic_settings")
    document = blueprint.document
    place = document.place(first if facet == "dcqcn" else _PLACES.get(facet, "classes")) or document.place("classes")
    return Origin(reason if facet in _WHOLE else f"{reason}; {_alike(blueprint.classes, facet)}", place)


def _alike(classes: tuple[TrafficClass, ...], facet: str) -> str:
    """Return which ports are given one value."""
    of_classes = facet in {"maps", "queues", "pfc"}
    apart = of_classes and any(found.edge is not None for found in classes)
    return f"alike on all cabled ports{' of one host role' if apart else ''}"


def _quality(blueprint: Blueprint, facet: str) -> str:
    classes, intent = blueprint.classes, blueprint.document.intent
    lossless = (found for found in classes if found.lossless)
    return {
        "maps": "DSCP to priority to queue: "
        + _list(
            f"{found.name} {_dscps(found)} to {found.priority} to {found.queue}{_where(found)}" for found in classes
        ),
        "queues": "queues of the classes: "
        + _list(f"{found.queue} {found.name} {_served(found)}{_where(found)}" for found in classes)
        + _heir(classes),
        "pfc": "priorities of lossless classes: "
        + _list(f"{found.priority} {found.name}{_where(found)}" for found in lossless),
        "nic": f"nic_settings; {_mark(blueprint)}{_cnps(blueprint)}",
        "watchdog": "written as pfc.watchdog",
        "dcqcn": "written as " + _list(_parameters(intent)),
        "pools": "written as buffers.override, under the system's own names",
        "balance": _balance(intent),
    }.get(facet, "")


def cnp_reason(document: Document, driver: str) -> str:
    """Return why NICs of a driver that is told send CNPs with the DSCP that they do."""
    own = driver_settings(document.intent).get(driver)
    if own is not None and own.cnp_dscp is not None:
        return f"written as nic_settings.{driver}.cnp_dscp, which goes before the mark of class {CNP}"
    return f"the mark of class {CNP}"


def _parameters(intent: Intent) -> Iterator[str]:
    """Yield the paths under which DCQCN parameters of drivers are written."""
    yield from (f"nic_settings.{driver}.dcqcn" for driver, found in driver_settings(intent).items() if found.dcqcn)


def _balance(intent: Intent) -> str:
    written = intent.routing is not None and "load_balance" in intent.routing.model_fields_set
    return "written as routing.load_balance" if written else "not written: ecmp, by flow"


def _where(found: TrafficClass) -> str:
    return "" if found.edge is None else f" (at the edge only to {' and '.join(found.edge)})"


def _heir(classes: tuple[TrafficClass, ...]) -> str:
    if all(found.edge is None or not found.share for found in classes):
        return ""
    return f"; where an edge does not carry a class, {DEFAULT} has its DSCPs and its share"


def _served(found: TrafficClass) -> str:
    limit = "" if found.limit is None else f" up to {format_speed(found.limit)} (no limit on ports that are not faster)"
    return ("strict" if found.strict else f"{found.share}%") + limit


def _mark(blueprint: Blueprint) -> str:
    job = job_class(blueprint.document.intent, blueprint.classes)
    if job is None or job.mark is None:
        return "no class gives RDMA traffic a mark"
    where = "" if job.edge is None else "; where the edge does not carry it, that of the first RDMA class there"
    return f"traffic class {job.mark * 4} = 4 x DSCP {job.mark} of class {job.name}{where}"


def _cnps(blueprint: Blueprint) -> str:
    """Return with which DSCP the NICs of the fabric send CNPs, per driver that is told."""
    shared = blueprint.quality.cnp_dscps
    used = {cards.nic.driver for host in blueprint.layout.hosts for cards in host.cards}
    told = [(driver, shared[driver]) for driver in DRIVERS if driver in used and shared[driver] is not None]
    reasons = (
        f"; CNPs of {driver} with DSCP {dscp}: {cnp_reason(blueprint.document, driver)}" for driver, dscp in told
    )
    return "".join(reasons)


def _dscps(found: TrafficClass) -> str:
    return str(found.dscps[0]) if len(found.dscps) == 1 else f"({len(found.dscps)} DSCPs)"


def _list(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "none"

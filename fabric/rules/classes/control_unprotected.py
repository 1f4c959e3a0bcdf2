"""Routing protocols are served while the fabric is full.

What it does
    Follows DSCP 48 (CS6), which BGP and BFD of most systems send with, through the maps and schedulers of ports between
    switches: it must not end in a paused priority, and should end in a strict queue (a note).

Why
    Under load, keepalives that wait for RDMA come too late: sessions end, routes go away, and the load moves to links
    that were full already. In a paused priority they wait just when the fabric is in trouble.

Fails
    ``rdma: {dscp: [26, 48], mark: 26, lossless: true}``; DSCP 48 in a class with a share and without ``strict`` (a
    note).

Passes
    ``cnp: {dscp: 48, strict: true}``: few packets, served first; a class of their own that is strict.

Options
    None.

Known limits
    Other DSCPs that a system may be set to send with are not known. A paused priority is reported where the class of
    DSCP 48 is lossless; where that is cnp, or a device sorts it into another class, classes.cnp-lossless and
    classes.bystander say so. A lossless class ``default`` is for pfc.default-paused.

Source
    RFC 4594 section 3.1 (network control, CS6); FRR sends BGP and BFD with CS6. Catalogue code D10.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.design.classes import CNP, DEFAULT
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.queues import Queues, Scheduler

SEVERITY = Severity.WARNING
CS6 = 48

Fault = tuple[str, str, Severity | None]


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per way in which control traffic waits, at the first port between switches."""
    owners = [found for found in design.classes if CS6 in found.dscps]
    meant = len(owners) == 1 and owners[0].lossless and owners[0].name not in {CNP, DEFAULT}
    named = [each.name for each in owners if not each.lossless and each.name != DEFAULT]
    fix = f"write strict: true in class {named[0]}" if named else f"add DSCP {CS6} to a lossy class that is strict"
    found: dict[Fault, list[End]] = {}
    known: dict[tuple[int, int, int], Fault | None] = {}
    for link in network.links:
        if network.nodes[link.a.node].kind != "switch":
            continue
        for end in (link.a, link.b):
            settings = network.nodes[end.node].settings
            rows = (
                settings.rows(Maps).get(end.port),
                settings.rows(Pfc).get(end.port),
                settings.rows(Queues).get(end.port),
            )
            key = (id(rows[0]), id(rows[1]), id(rows[2]))
            if key not in known:
                known[key] = _fault(*rows, meant)
            fault = known[key]
            if fault is not None:
                found.setdefault(fault, []).append(end)
    for (what, bound, severity), ends in found.items():
        yield Violation(
            path=f"{ends[0].node}.maps.{ends[0].port}",
            message=f"BGP and BFD send with DSCP {CS6}, and that goes to {what}: {several(ends)}",
            measured=what,
            bound=bound,
            fix=fix,
            severity=severity,
        )


def _fault(row: ClassMap | None, pause: Pause | None, scheduler: Scheduler | None, meant: bool) -> Fault | None:
    priority = row.dscp_to_priority[CS6] if row is not None else -1
    if row is None or priority not in range(8):
        return None
    if pause is not None and priority in pause.priorities:
        return (f"priority {priority}, which is paused", "a priority without PFC", None) if meant else None
    queue = row.priority_to_queue[priority]
    shared = scheduler is not None and any(each.number == queue and not each.strict for each in scheduler.queues)
    return (f"queue {queue}, which is not strict", "a strict queue", Severity.NOTE) if shared else None

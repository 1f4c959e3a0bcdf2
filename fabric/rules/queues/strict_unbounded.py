"""A strict queue is for little traffic, or has a limit.

What it does
    Looks at queues that are served first and have no limit: on a port with other queues, they may carry CNPs and
    network control (DSCPs from 48), and nothing else.

Why
    A strict queue takes all that it wants of the link. Traffic that can fill a link starves every other queue, and in
    a lossless class that means pauses that do not end.

Fails
    ``bulk: {dscp: 10, strict: true}`` beside classes with shares.

Passes
    ``cnp: {dscp: 48, strict: true}``; ``bulk: {dscp: 10, strict: true, limit: 10G}``; a port with one queue.

Options
    None.

Known limits
    How much control traffic there is is not known: BGP, BFD and CNPs are taken to be little. Whether a limit is low
    enough is not asked. CNPs that are lossless, or beside a lossless class, are a matter of classes.cnp-lossless.

Source
    A judgement; RFC 4594 has network control at DSCP 48, and NVIDIA's RoCE presets serve only CNPs and control first.
    Catalogue code H02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.schedulers import schedulers
from fabric.design.classes import CNP
from fabric.design.model import Design, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING
_CONTROL = 48


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per kind of port and strict queue that may starve the others."""
    by_queue = _by_queue(design)
    for used in schedulers(network):
        for queue in used.scheduler.queues:
            if not queue.strict or queue.limit is not None or len(used.scheduler.queues) == 1:
                continue
            inside = by_queue.get(queue.number, [])
            large = [found.name for found in inside if not _little(found)]
            if (large or not inside) and not _paused_cnp(inside):
                whose = f"class {', '.join(large)}" if large else "no class"
                yield Violation(
                    path=used.path,
                    message=f"queue {queue.number} of {used.where} ({whose}) is served first and has no limit: it may "
                    "starve all others",
                    measured="no limit",
                    bound="a limit, or only CNPs and control",
                    fix="write a limit, such as limit: 10G, or a share in the place of strict",
                    cause=f"classes.{large[0]}.strict" if large else "",
                )


def _by_queue(design: Design) -> Mapping[int, list[TrafficClass]]:
    found: dict[int, list[TrafficClass]] = {}
    for each in design.classes:
        found.setdefault(each.queue, []).append(each)
    return found


def _little(found: TrafficClass) -> bool:
    if found.rdma or found.lossless:
        return False
    return found.name == CNP or (bool(found.dscps) and min(found.dscps) >= _CONTROL)


def _paused_cnp(inside: list[TrafficClass]) -> bool:
    return any(found.name == CNP for found in inside) and any(found.lossless for found in inside)

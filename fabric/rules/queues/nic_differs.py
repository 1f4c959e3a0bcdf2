"""NIC and leaf share the link alike.

What it does
    Compares, on each cable to a host, the queue of every priority at both ends: both strict or neither, and shares not
    more than 5 points apart.

Why
    The host sends by the shares of its NIC, the leaf by its own. Where they differ, a class gets what the smaller one
    says as soon as the link is full, and the first hop is the bottleneck of a path that is fine elsewhere.

Fails
    Priority 3 with 60 % on the leaf and 50 % on the NIC.

Passes
    60 % and 55 %; a NIC whose queues are not known.

Options
    None.

Known limits
    Limits are not compared. A NIC or leaf that leaves a queue without a share is a matter of classes.chain-broken.

Source
    IEEE 802.1Qaz: both ends of a link have an ETS configuration of their own. Catalogue code H04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import Link, Network, Node
from fabric.settings.queues import Queue, Queues, Scheduler

SEVERITY = Severity.WARNING
_TOLERANCE = 5

Pair = tuple[Queue, Queue]
Differs = tuple[tuple[int, Pair], ...]
Side = tuple[ClassMap, Scheduler]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per cable whose ends serve priorities differently."""
    alike: dict[tuple[int, ...], Differs] = {}
    for link in network.links:
        host, leaf = network.nodes[link.a.node], network.nodes[link.b.node]
        if host.kind != "host":
            continue
        own, far = _side(host, link.a.port), _side(leaf, link.b.port)
        if own is None or far is None:
            continue
        kind = tuple(map(id, (*own, *far)))
        if kind not in alike:
            alike[kind] = _differing(own, far)
        if alike[kind]:
            yield _violation(link, alike[kind])


def _violation(link: Link, differs: Differs) -> Violation:
    here, there = (", ".join(_said(pair[end]) for _, pair in differs) for end in (0, 1))
    which = listed(frozenset(number for number, _ in differs))
    shares = not any(queue.strict for _, pair in differs for queue in pair)
    return Violation(
        path=f"{link.a.node}.queues.{link.a.port}",
        message=f"{link.a} serves {which} with {here}, and {link.b} with {there}",
        measured=here,
        bound=f"{there}, give or take {_TOLERANCE}" if shares else there,
        fix="apply the design to both, or set the NIC as the leaf is",
    )


def _side(node: Node, port: str) -> Side | None:
    classes, scheduler = node.settings.rows(Maps).get(port), node.settings.rows(Queues).get(port)
    return None if classes is None or scheduler is None else (classes, scheduler)


def _differing(own: Side, far: Side) -> Differs:
    """Return the pairs of queues that differ, each with its first priority; nothing where one of them is not served."""
    here, there = ({queue.number: queue for queue in scheduler.queues} for _, scheduler in (own, far))
    found: dict[tuple[int, int], tuple[int, Pair]] = {}
    for priority, numbers in enumerate(zip(own[0].priority_to_queue, far[0].priority_to_queue, strict=True)):
        one, other = here.get(numbers[0]), there.get(numbers[1])
        if one is not None and other is not None and not _alike(one, other):
            found.setdefault(numbers, (priority, (one, other)))
    starved = any(not queue.share and not queue.strict for _, pair in found.values() for queue in pair)
    return () if starved else tuple(found.values())


def _alike(one: Queue, other: Queue) -> bool:
    return one.strict == other.strict and (one.strict or abs(one.share - other.share) <= _TOLERANCE)


def _said(queue: Queue) -> str:
    return "strict" if queue.strict else f"{queue.share}%"

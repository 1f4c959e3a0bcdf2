"""Paths: how long a packet of a class is under way at most, and how late its senders slow down.

Times are in nanoseconds, without queues: that is the base round trip from which thresholds are reckoned. The figures
per NIC, switch and metre are rules of thumb and stand here as constants, so that nothing else assumes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fabric.design.chips import has_chip
from fabric.hardware.dcqcn import parameters
from fabric.settings.dcqcn import Dcqcn
from fabric.settings.queues import Queues

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.settings.network import Link, Network, Node

NIC: Final = 600
"""Nanoseconds that a NIC takes on one way. An assumption: half of what a round trip between two NICs without a switch
takes, about 1.2 us each way."""
HOP: Final = 800
"""Nanoseconds from port to port of a switch that cuts through. Trident 2 is published with 550 to 650 ns, Trident 3
with 800 and more; CoNEXT 2016 (Zhu et al.) counts 1 to 2 us per hop with its cable."""
METRE: Final = 5
"""Nanoseconds per metre of fibre: light at two thirds of its speed in vacuum."""

_SOFTWARE: Final = frozenset({"frr", "linux"})
_DRIVER: Final = "mlx5"
_INTERVALS: Final = ("min_time_between_cnps", "rate_reduce_monitor_period")
"""Microseconds between CNPs of one flow, and between two cuts of its rate."""


def round_trip(network: Network, queue: int) -> int | str:
    """Return the base round trip over the longest path between two hosts whose ports have a queue, in ns.

    Or why it is not known: a cable of these paths has no length, a switch forwards in software, or there are no such
    hosts.
    """
    nodes = network.nodes
    slow = next((node.name for node in nodes.values() if _in_software(node)), "")
    if slow:
        return f"{slow} forwards in software, and how fast is not known"
    below = _below(_used(network, queue))
    bare = next((f"{lower} to {upper}" for upper, rows in below.items() for lower, far in rows.items() if not far), "")
    if bare:
        return f"the cable from {bare} has no length"
    one_way = _one_way(nodes, below)
    return 2 * (2 * NIC + one_way) if one_way else "no two hosts have the class"


def reaction(network: Network) -> int:
    """Return how much later than the round trip senders slow down, in ns: until the next CNP, and until the next cut.

    As the NICs are set; NVIDIA's defaults where they say nothing.
    """
    usual = parameters(_DRIVER).defaults
    values = {id(row): row.values for node in network.nodes.values() for row in node.settings.rows(Dcqcn).values()}
    said = [dict(pairs) for pairs in values.values()] or [{}]
    return sum(max(each.get(name, usual[name]) for each in said) for name in _INTERVALS) * 1000


def _used(network: Network, queue: int) -> Iterable[Link]:
    """Yield the cables between switches, and to hosts whose ports have the queue, or do not say which they have."""
    nodes = network.nodes
    queues = {name: node.settings.rows(Queues) for name, node in nodes.items() if node.kind == "switch"}
    without: dict[int, bool] = {}
    for link in network.links:
        upper = queues.get(link.b.node)
        if upper is None:
            continue
        row = upper.get(link.b.port) if nodes[link.a.node].kind == "host" else None
        if row is not None and id(row) not in without:
            without[id(row)] = all(each.number != queue for each in row.queues)
        if row is None or not without[id(row)]:
            yield link


def _below(links: Iterable[Link]) -> Mapping[str, Mapping[str, float]]:
    """Return per switch its lower neighbours, each with the longest cable to it; 0 where one has no length."""
    found: dict[str, dict[str, float]] = {}
    for link in links:
        rows, lower = found.setdefault(link.b.node, {}), link.a.node
        known = rows.get(lower, link.length)
        rows[lower] = max(known, link.length) if known and link.length else 0
    return found


def _one_way(nodes: Mapping[str, Node], below: Mapping[str, Mapping[str, float]]) -> int:
    """Return the longest time from NIC to NIC that turns round at some switch; 0 where no switch has two ways down."""
    down: dict[str, float] = {}
    found = 0.0
    for upper in sorted(below, key=lambda name: nodes[name].tier):
        ways = [
            down.get(lower, 0) + far * METRE
            for lower, far in below[upper].items()
            if nodes[lower].kind == "host" or lower in down
        ]
        if ways:
            second, first = (0, *sorted(ways))[-2:]
            down[upper] = HOP + first
            found = max(found, HOP + first + second) if second else found
    return round(found)


def _in_software(node: Node) -> bool:
    return node.kind == "switch" and node.system in _SOFTWARE and not has_chip(node.model)

"""Switches that must learn each other's hosts have AS numbers of their own.

What it does
    Looks, below the uppermost tier, for switches of one tier with BGP neighbours and one AS number, of which one leads
    to hosts that the other one does not lead to.

Why
    A router drops every route whose path holds its own AS number, to keep loops away. Two leaves with one number thus
    never learn each other's hosts, nor do the spines of two pods: all sessions are up, and hosts do not reach each
    other.

Fails
    ``leaf: {asn: {first: 65101, per: tier}}`` with several leaves; ``spine: {per: pod, asn: {first: 65000, per:
    tier}}`` under superspines.

Passes
    ``leaf: {asn: {first: 65101, per: device}}``; spines of one pod, which lead to the same leaves; two leaves of which
    all hosts have bonds to both, so that neither needs the other's routes. Switches of the uppermost tier share a
    number on purpose: it keeps paths from leading down and up again.

Options
    None.

Known limits
    Two switches that take their own number from all neighbours (``allowas-in``) are not compared: what loops that
    permits is for deadlock.loop-after-failure. There is one VRF. Switches of different planes are not compared, as
    planes do not meet. Loopbacks of two leaves that share all hosts are not counted.

Source
    RFC 4271 section 9.1.2 (a path that holds the local AS is not used); RFC 7938 section 5.2.1 (a number for each
    top-of-rack switch, one for each cluster of the tier above, one for all of the uppermost). Catalogue code A08.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Neighbor, Router
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR

Ends = frozenset[frozenset[str]]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per further switch with an AS number that keeps it from routes it needs."""
    groups: dict[tuple[int, int], list[Node]] = {}
    for node in network.nodes.values():
        number = _asn(node)
        above = (network.nodes[far.node].tier > node.tier for _, _, far in network.links_of[node.name])
        if number is not None and any(above):
            groups.setdefault((node.tier, number), []).append(node)
    served: dict[str, Ends] = {}
    for (_, number), nodes in sorted(groups.items()):
        for place, node in enumerate(nodes):
            other = next((each for each in nodes[:place] if _needed(network, served, node, each)), None)
            if other is not None:
                yield _violation(node, other, number)


def _asn(node: Node) -> int | None:
    """Return the AS number of a node that exchanges routes with others."""
    rows = node.settings.rows(Bgp)
    router = rows.get("router")
    speaks = any(isinstance(row, Neighbor) for row in rows.values())
    return router.asn if speaks and isinstance(router, Router) else None


def _needed(network: Network, served: dict[str, Ends], one: Node, other: Node) -> bool:
    """Tell whether one of two switches leads to hosts that the other one does not lead to."""
    if _takes_own(one) and _takes_own(other):
        return False
    if one.plane is not None and other.plane is not None and one.plane != other.plane:
        return False
    return _served(network, served, one.name) != _served(network, served, other.name)


def _takes_own(node: Node) -> bool:
    """Tell whether a node takes paths with its own AS number from all neighbours."""
    neighbors = [row for row in node.settings.rows(Bgp).values() if isinstance(row, Neighbor)]
    return bool(neighbors) and all(any("allowas-in" in word for word in each.extra) for each in neighbors)


def _served(network: Network, served: dict[str, Ends], name: str) -> Ends:
    """Return what a switch leads to downwards: per leaf the prefixes that it announces, but for its loopbacks."""
    if name not in served:
        node = network.nodes[name]
        below = [far.node for _, _, far in network.links_of[name] if network.nodes[far.node].tier < node.tier]
        switches = dict.fromkeys(far for far in below if network.nodes[far].kind == "switch")
        own = _announced(node)
        served[name] = frozenset({own} if own else ()).union(*(_served(network, served, far) for far in switches))
    return served[name]


def _announced(node: Node) -> frozenset[str]:
    loopbacks = {key.partition(" ")[2] for key in node.settings.rows(Addresses) if key.startswith("lo ")}
    announced = (key.partition(" ") for key in node.settings.rows(Bgp))
    return frozenset(prefix for kind, _, prefix in announced if kind == "network" and prefix not in loopbacks)


def _violation(node: Node, other: Node, number: int) -> Violation:
    return Violation(
        path=f"{node.name}.bgp.router",
        message=f"{node.name} has AS number {number}, which {other.name} has too: neither takes the other's routes",
        measured=f"AS {number} on 2 switches that lead to different hosts",
        bound="1 switch",
        fix=f"write per: {'device' if node.tier == 1 else 'pod'} in the asn of the role {node.role}, "
        "or give its switches other numbers",
    )

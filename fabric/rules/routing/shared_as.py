"""Switches that hosts attach to have AS numbers of their own.

What it does
    Looks for switches of the lowest tier that have BGP neighbours and the same AS number.

Why
    A router drops every route whose path holds its own AS number, to keep loops away. Two leaves with one number thus
    never learn each other's hosts: all sessions are up, and hosts of different leaves do not reach each other.

Fails
    ``leaf: {asn: {first: 65101, per: tier}}`` with several leaves.

Passes
    ``leaf: {asn: {first: 65101, per: device}}``. Spines of one tier share a number on purpose: it keeps paths from
    leading down and up again.

Options
    None.

Known limits
    Settings that accept the own number in a path (allowas-in) are not known. There is one VRF.

Source
    RFC 4271 section 9.1.2 (a path that holds the local AS is not used); RFC 7938 section 5.2.1 (a number for each
    top-of-rack switch, one for all of the tier above). Catalogue code A08.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bgp import Bgp, Neighbor, Router
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per further switch of the lowest tier with an AS number."""
    first: dict[int, str] = {}
    for name, node in network.nodes.items():
        number = _asn(node) if node.tier == 1 else None
        if number is None:
            continue
        other = first.setdefault(number, name)
        if other != name:
            yield Violation(
                path=f"{name}.bgp.router",
                message=f"{name} has AS number {number}, which {other} has too: neither takes the other's routes",
                measured=f"AS {number} on 2 switches that hosts attach to",
                bound="1 switch",
                fix=f"write per: device in the asn of the role {node.role}, or give its switches other numbers",
            )


def _asn(node: Node) -> int | None:
    """Return the AS number of a node that exchanges routes with others."""
    rows = node.settings.rows(Bgp)
    router = rows.get("router")
    speaks = any(isinstance(row, Neighbor) for row in rows.values())
    return router.asn if speaks and isinstance(router, Router) else None

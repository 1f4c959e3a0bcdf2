"""A router id names one router.

What it does
    Compares the BGP router ids of all nodes that have BGP neighbours. Two nodes that share an id because they share the
    loopback that it comes from are left to addressing.duplicate-address.

Why
    The id tells two speakers apart. A neighbour of both takes their routes for those of one router when it breaks ties,
    and two of one AS with one id refuse each other's session. Whoever reads tables by it looks at the wrong device.

Fails
    spine01 and spine02 have router id 10.254.0.1.

Passes
    Every router has its own id, mostly the address of its IPv4 loopback.

Options
    None.

Known limits
    There is one VRF. An id that a system chooses by itself is known only once it was read.

Source
    RFC 6286 section 2.1 (the identifier is to be unique within an AS) and section 2.3; RFC 4271 section 9.1.2.2 (the
    identifier breaks ties). Catalogue code A09.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Neighbor, Router
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per further router with an id."""
    first: dict[str, Node] = {}
    for name, node in network.nodes.items():
        number = _router_id(node)
        if number is None:
            continue
        other = first.setdefault(number, node)
        loopback = f"lo {number}/32"
        if other is node or (loopback in node.settings.rows(Addresses) and loopback in other.settings.rows(Addresses)):
            continue
        yield Violation(
            path=f"{name}.bgp.router",
            message=f"{name} has the router id {number}, which {other.name} has too",
            measured=f"{number} on 2 routers",
            bound="1 router",
            fix=f"give {name} a loopback of its own, or choose a pool of router ids that no given loopback lies in",
        )


def _router_id(node: Node) -> str | None:
    """Return the id of a node that exchanges routes with others."""
    rows = node.settings.rows(Bgp)
    router = rows.get("router")
    if not isinstance(router, Router) or isinstance(router.router_id, Absent):
        return None
    return router.router_id if any(isinstance(row, Neighbor) for row in rows.values()) else None

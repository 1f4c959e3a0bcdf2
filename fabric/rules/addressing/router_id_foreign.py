"""A router id is an address of its own router.

What it does
    Compares the BGP router id of each node with the IPv4 addresses of the fabric. An id that is an address of another
    node is a warning; one that is none of the node's own IPv4 loopbacks, where it has any, is a note.

Why
    Tables and logs name a router by its id. An id that is the loopback of another device leads whoever follows it to
    the wrong one, and what was copied from there was often more than the id. An id without an address leads nowhere.

Fails
    spine01 with loopback 10.255.0.1 has the router id 10.255.0.2, which is the loopback of spine02.

Passes
    The id is the IPv4 loopback. An id of a pool of router ids, where loopbacks are IPv6 only.

Options
    None.

Known limits
    Two routers with one id are reported by addressing.router-id-duplicate.

Source
    RFC 6286 section 2.1 (an identifier need not be an address, and must differ); RFC 4271 section 4.2 (it is the same
    on every port, so that an address of the router is usual). Catalogue code A09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network, Node

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per router id that is an address of another node, or none of its own loopbacks."""
    suspect = {name: number for name, node in network.nodes.items() if (number := _strange(node)) is not None}
    owners = _owners(network) if suspect else {}
    for name, number in suspect.items():
        other = owners.get(number)
        loopbacks = ", ".join(_loopbacks(network.nodes[name]))
        if other is not None and other.node != name:
            yield Violation(
                path=f"{name}.bgp.router",
                message=f"{name} has the router id {number}, which is the address of {other}",
                measured=number,
                bound=loopbacks or "an id that is no address of another node",
                fix=f"set the router id of {name} to an address of its own",
            )
        elif loopbacks:
            yield Violation(
                path=f"{name}.bgp.router",
                message=f"{name} has the router id {number}, which is none of its loopbacks",
                measured=number,
                bound=loopbacks,
                fix=f"set the router id of {name} to its loopback",
                severity=Severity.NOTE,
            )


def _strange(node: Node) -> str | None:
    """Return the router id of a node, if it is none of its loopbacks."""
    router = node.settings.rows(Bgp).get("router")
    if not isinstance(router, Router) or isinstance(router.router_id, Absent):
        return None
    return None if router.router_id in _loopbacks(node) else router.router_id


def _loopbacks(node: Node) -> tuple[str, ...]:
    """Return the IPv4 addresses on the loopback of a node, without length and without 127.0.0.0/8."""
    keys = (key for key in node.settings.rows(Addresses) if key.startswith("lo ") and ":" not in key)
    found = (key.removeprefix("lo ").partition("/")[0] for key in keys)
    return tuple(address for address in found if not address.startswith("127."))


def _owners(network: Network) -> Mapping[str, End]:
    """Return where each address stands; loopbacks count before ports."""
    found: dict[str, End] = {}
    for name, node in network.nodes.items():
        for key in node.settings.rows(Addresses):
            port, _, written = key.partition(" ")
            address = written.partition("/")[0]
            if port == "lo" or address not in found:
                found[address] = End(name, port)
    return found

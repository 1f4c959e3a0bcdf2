"""A numbered link has an address of every family that is routed.

What it does
    Compares the families (IPv4, IPv6) of the addresses at both ends of each link with those of the loopbacks of the
    fabric. A link without any address is unnumbered and carries both.

Why
    A session runs over addresses of a family and carries that family's routes. A link that has no IPv6 addresses in a
    fabric of both families carries no IPv6: its share of the paths is missing, or the hosts behind it are.

Fails
    Loopbacks are IPv4 and IPv6, and a listed cable gives IPv4 addresses only.

Passes
    Both families on every link, or links without addresses.

Options
    None.

Known limits
    IPv4 routes over an IPv6 session with IPv6 next hops (RFC 8950) exist for unnumbered links only.

Source
    RFC 2545 (IPv6 routes in BGP), RFC 8950 (IPv4 routes with IPv6 next hops).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.logical import holder
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link that lacks a family at both ends."""
    held = {name: _families(node) for name, node in network.nodes.items()}
    wanted = frozenset[int]().union(*(found.get("lo", frozenset()) for found in held.values()))
    if len(wanted) < 2:
        return
    for link in network.links:
        found = [
            held[end.node].get(end.port) or held[end.node].get(holder(network.nodes[end.node], end.port))
            for end in (link.a, link.b)
        ]
        both = frozenset[int]().union(*(each or frozenset() for each in found))
        if both and both < wanted:
            missing = ", ".join(f"IPv{version}" for version in sorted(wanted - both))
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"the link between {link.a} and {link.b} has no {missing} address, and carries none of it",
                measured=", ".join(f"IPv{version}" for version in sorted(both)),
                bound=", ".join(f"IPv{version}" for version in sorted(wanted)),
                fix="give addresses of both families, or none so that they are computed",
            )


def _families(node: Node) -> Mapping[str, frozenset[int]]:
    """Return the families of the addresses on each port of a node."""
    found: dict[str, frozenset[int]] = {}
    for key in node.settings.rows(Addresses):
        port, _, address = key.partition(" ")
        if not address.startswith(("127.", "::1/")):
            found[port] = found.get(port, frozenset()) | {6 if ":" in address else 4}
    return found

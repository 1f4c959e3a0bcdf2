"""Who sends echo requests to whom: along each rail, every host to the next one, and the last to the first.

The ports of a NIC that are not bonded may lie in planes that never meet, so each makes a ring of its own; so does each
plane, and each tenant, whose hosts reach only themselves. Ports that the design switches off take no part. Where both
families of addresses are in use, each has its pings: what is amiss in one of them does not show in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabric.checks.shut import closed
from fabric.design.model import Design, Rail
from fabric.platforms.lookup import has_system, system
from fabric.settings.network import End, Node


def ring(design: Design) -> Iterator[tuple[Rail, Rail]]:
    """Yield (from, to) so that on each rail every host sends once and receives once, in design order.

    With addresses of both families each pair comes once for each, its ``address`` being the one to use.
    """
    tenant = {host: each.name for each in design.tenants for host in each.hosts}
    rings: dict[tuple[str | None, int | None, int, int], list[Rail]] = {}
    for each in design.rails:
        if not closed(design.network, End(each.node, each.port)):
            plane = design.network.nodes[each.leaf].plane if len(each.leaves) < 2 else None
            rings.setdefault((tenant.get(each.node), plane, each.rail, each.leg), []).append(each)
    for members in rings.values():
        for sender, receiver in zip(members, [*members[1:], *members[:1]], strict=True):
            if sender.node != receiver.node:
                yield from _by_family(sender, receiver)


def _by_family(sender: Rail, receiver: Rail) -> Iterator[tuple[Rail, Rail]]:
    pairs = zip(sender.addresses, receiver.addresses, strict=False)
    for one, other in list(pairs) or [(sender.address, receiver.address)]:
        yield replace(sender, address=one), replace(receiver, address=other)


def host_address(rail: Rail) -> str:
    """Return the address of a NIC port without its length."""
    return rail.address.partition("/")[0]


def over(rail: Rail) -> str:
    """Return words that tell the family of the address in use, where the NIC port has both."""
    if len(rail.addresses) < 2:
        return ""
    return " over IPv6" if ":" in rail.address else " over IPv4"


def can_ping(node: Node) -> bool:
    """Tell whether the platform of a node knows how to send echo requests."""
    return has_system(node.kind, node.system) and system(node.kind, node.system).ping is not None

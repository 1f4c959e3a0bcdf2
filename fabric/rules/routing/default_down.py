"""No default route leads down, and what is summed up has somewhere to end.

What it does
    Reports static default routes of a switch whose next hop is a switch below it, default routes that a switch
    announces to one above it, and, where the static routes of a switch are known, prefixes that it announces for others
    (an aggregate) without a route that drops what has no better one.

Why
    A default route takes everything that nothing better is known for. Down at a leaf the same packet finds a default
    route up again, and goes round until its time to live ends: each one fills lossless buffers many times over, in a
    circle. An aggregate that is announced attracts packets to parts of it that are gone, which then follow the default
    route back to where they came from.

Fails
    ``ip route 0.0.0.0/0`` on a spine to a leaf; ``network 0.0.0.0/0`` or ``default-originate`` on a leaf towards a
    spine. ``network 10.64.0.0/12`` on a leaf that has no discard route for it.

Passes
    A default route on leaves towards spines. An aggregate with ``ip route 10.64.0.0/12 blackhole``.

Options
    None.

Known limits
    A border leaf that gives the fabric its way out announces a default route on purpose; a waiver says so. What
    ``aggregate-address`` makes, and default routes from external neighbours, are not known.

Source
    RFC 7938 sections 5.2.4 and 8.2 (default routes from the edge, and loops with summary routes); RFC 4632 section 5.1
    (an aggregate discards what it has no better route for). Catalogue code C04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network

from fabric.analysis.bgp_sessions import Speakers, neighbors, speakers
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Neighbor
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network, Node
from fabric.settings.routes import Routes

SEVERITY = Severity.ERROR

_DEFAULTS = ("default", "0.0.0.0/0", "::/0")
_FIX = "let default routes lead up only, or announce the prefixes that are really there"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per default route that leads down, and per aggregate without an end."""
    found = speakers(network)
    for node in network.nodes.values():
        if node.kind == "switch":
            yield from _static(network, node)
    for name in found.asn:
        yield from _announced(network, found, network.nodes[name])
        yield from _aggregates(found, network.nodes[name])


def _static(network: Network, node: Node) -> Iterator[Violation]:
    for key, route in node.settings.rows(Routes).items():
        if key.partition(" ")[2] not in _DEFAULTS:
            continue
        for hop in route.next_hops:
            link = network.ends.get(End(node.name, hop.port))
            below = network.nodes[link[1].node] if link else None
            if below is not None and below.kind == "switch" and below.tier < node.tier:
                yield Violation(
                    path=f"{node.name}.routes.{key}",
                    message=f"the default route of {node.name} leads down to {below.name}, which sends up again what "
                    "it does not know",
                    measured=f"from tier {node.tier} to tier {below.tier}",
                    bound="default routes lead up",
                    fix=_FIX,
                )


def _announced(network: Network, found: Speakers, node: Node) -> Iterator[Violation]:
    rows = node.settings.rows(Bgp)
    whole = [key for prefix in _DEFAULTS if (key := f"network {prefix}") in rows]
    if not whole and not any(_originates(row) for row in rows.values() if isinstance(row, Neighbor)):
        return
    for far, session in found.senders.get(node.name, {}).items():
        if found.tier[far] <= found.tier[node.name]:
            continue
        said = (row for end in session.ends for row in neighbors(network, network.ends[end][1], end))
        if whole or any(map(_originates, said)):
            yield Violation(
                path=f"{node.name}.bgp.{whole[0] if whole else 'router'}",
                message=f"{node.name} announces a default route to {far} above it, so that {far} sends down what it "
                "does not know",
                measured=f"from tier {found.tier[far]} to tier {found.tier[node.name]}",
                bound="default routes lead up",
                fix=_FIX,
            )


def _originates(row: Neighbor) -> bool:
    return any(said.rpartition(": ")[2].partition(" ")[0] == "default-originate" for said in row.extra)


def _aggregates(found: Speakers, node: Node) -> Iterator[Violation]:
    routes = node.settings.get(Routes)
    if isinstance(routes, Absent):
        return
    dropped = {key.partition(" ")[2] for key, route in routes.rows.items() if not route.next_hops}
    own = {str(ip_interface(key.partition(" ")[2]).network) for key in node.settings.rows(Addresses)}
    for key in node.settings.rows(Bgp):
        prefix = key[8:]
        if not key.startswith("network ") or prefix in (*_DEFAULTS, *dropped, *own):
            continue
        others = (other for other, names in found.announced.items() if node.name not in names)
        if any(_within(ip_network(other), ip_network(prefix)) for other in others):
            yield Violation(
                path=f"{node.name}.bgp.{key}",
                message=f"{node.name} announces {prefix} for others, and has no route that drops what none of them has",
                measured="no discard route",
                bound="1 discard route",
                fix=f"add ip route {prefix} blackhole, or announce only what is there",
            )


def _within(part: IPv4Network | IPv6Network, whole: IPv4Network | IPv6Network) -> bool:
    return part.version == whole.version and part.subnet_of(whole)  # type: ignore[arg-type]  # of one family

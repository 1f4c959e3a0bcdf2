"""Both ends of a link are in one prefix.

What it does
    Compares, for each link, the addresses at both ends with their lengths: those of the ports, of the bonds that the
    ports belong to, or of the VLAN. It also reports a prefix between two switches, or given in a list, that is wider
    than a link needs.

Why
    An end whose neighbour is in another prefix has no way to it: no BGP session, no gateway. A pair of given addresses
    that lie far apart is mostly a typing error, and a prefix that holds both takes the addresses of others with it.

Fails
    leaf01:swp33 has 10.128.0.1/31 and spine01:swp1 has 10.128.0.2/31. A list gives 10.128.9.1 and 10.128.8.0 to one
    cable: the smallest prefix with both has a length of 23.

Passes
    10.128.0.1/31 and 10.128.0.0/31; 192.168.7.2/30 and 192.168.7.1/30.

Options
    None.

Known limits
    A link without addresses at one end (unnumbered, or not read) is not judged.

Source
    RFC 3021 (/31 on links with two ends) and RFC 6164 (/127); /30 and /126 are accepted, and /64 as RFC 4291 section
    2.5.1 wants it. Catalogue code A02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_interface

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.logical import holder
from fabric.settings.addresses import Addresses
from fabric.settings.network import Link, Network, Node

SEVERITY = Severity.ERROR

_WIDEST = {4: 30, 6: 64}
Held = Mapping[str, tuple[str, ...]]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link and family whose ends are in different prefixes, or in one that is too wide."""
    held = {name: _held(node) for name, node in network.nodes.items()}
    for link in network.links:
        lower, upper = (
            held[end.node].get(end.port) or held[end.node].get(holder(network.nodes[end.node], end.port), ())
            for end in (link.a, link.b)
        )
        if lower and upper:
            yield from _link(network, link, lower, upper)


def _held(node: Node) -> Held:
    """Return the addresses on each port of a node."""
    found: dict[str, tuple[str, ...]] = {}
    for key in node.settings.rows(Addresses):
        port, _, address = key.partition(" ")
        found[port] = (*found.get(port, ()), address)
    return found


def _link(network: Network, link: Link, lower: tuple[str, ...], upper: tuple[str, ...]) -> Iterator[Violation]:
    for six in (False, True):
        low = [address for address in lower if (":" in address) is six]
        high = [address for address in upper if (":" in address) is six]
        if not low or not high or _pair(low[0], high[0]):
            continue
        near = {ip_interface(address).network for address in low}
        shared = [each for each in (ip_interface(address).network for address in high) if each in near]
        version = 6 if six else 4
        if not shared:
            yield _apart(link, low[0], high[0])
        elif shared[0].prefixlen < _WIDEST[version] and network.nodes[link.a.node].kind == "switch":
            yield _wide(link, str(shared[0]), _WIDEST[version])


def _pair(one: str, other: str) -> bool:
    """Tell quickly of most links that all is well: two neighbouring IPv4 addresses of a /31."""
    head, _, last = one.rpartition(".")
    other_head, _, other_last = other.rpartition(".")
    if not head or head != other_head or not (last.endswith("/31") and other_last.endswith("/31")):
        return False
    number, neighbour = int(last[:-3]), int(other_last[:-3])
    return number ^ neighbour == 1


def _apart(link: Link, low: str, high: str) -> Violation:
    return Violation(
        path=f"{link.a.node}.links.{link.a.port}",
        message=f"{link.a} has {low} and {link.b} at the other end has {high}: they share no prefix",
        measured=f"{low} and {high}",
        bound="one prefix at both ends",
        fix="give both ends addresses of one /31 or /127",
    )


def _wide(link: Link, prefix: str, length: int) -> Violation:
    return Violation(
        path=f"{link.a.node}.links.{link.a.port}",
        message=f"the link between {link.a} and {link.b} takes the whole of {prefix}",
        measured=prefix,
        bound=f"/{length} or longer",
        fix="check both addresses; give two that differ in the last bit only",
        severity=Severity.WARNING,
    )

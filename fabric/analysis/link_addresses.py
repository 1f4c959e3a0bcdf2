"""The addresses at both ends of each link, and what prefix they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv6Interface, ip_interface
from typing import TypeAlias

from fabric.analysis.logical import holder
from fabric.settings.addresses import Addresses, by_port
from fabric.settings.bonds import Bonds
from fabric.settings.network import End, Link, Network
from fabric.settings.vlans import Vlans

Interface: TypeAlias = IPv4Interface | IPv6Interface


@dataclass(frozen=True, slots=True)
class Numbered:
    """A link with addresses of one family at both ends; ``shared`` is a prefix that both are in, the first there is.

    ``routed`` says that the addresses stand on the link itself (or a bond), and not on a VLAN of many ports.
    """

    link: Link
    lower: str
    upper: str
    shared: Interface | None
    routed: bool


def unusual(network: Network) -> Iterator[Numbered]:
    """Yield the links with addresses at both ends, without the many that have two neighbours of one IPv4 /31."""
    held = {name: by_port(node.settings.rows(Addresses)) for name, node in network.nodes.items()}
    for link in network.links:
        low, lower = _of(network, held, link.a)
        high, upper = _of(network, held, link.b)
        if not lower or not upper or (len(lower) == len(upper) == 1 and _pair(lower[0], upper[0])):
            continue
        routed = not (low.startswith("vlan") or high.startswith("vlan"))
        for six in (False, True):
            ours = [address for address in lower if (":" in address) is six]
            theirs = [address for address in upper if (":" in address) is six]
            if ours and theirs and not _pair(ours[0], theirs[0]):
                yield Numbered(link, ours[0], theirs[0], _shared(ours, theirs), routed)


def _of(network: Network, held: Mapping[str, Mapping[str, list[str]]], end: End) -> tuple[str, list[str]]:
    """Return the port that holds the addresses of an end, and these."""
    rows, port = held[end.node], end.port
    if port not in rows:
        node = network.nodes[end.node]
        port = holder(node, port) if bool(node.settings.rows(Bonds)) or bool(node.settings.rows(Vlans)) else port
    return port, rows.get(port, [])


def _pair(one: str, other: str) -> bool:
    """Tell quickly of most links that all is well: two neighbouring IPv4 addresses of a /31."""
    head, _, last = one.rpartition(".")
    other_head, _, other_last = other.rpartition(".")
    if not head or head != other_head or not (last.endswith("/31") and other_last.endswith("/31")):
        return False
    number, neighbour = int(last[:-3]), int(other_last[:-3])
    return number ^ neighbour == 1


def _shared(lower: list[str], upper: list[str]) -> Interface | None:
    near = {ip_interface(address).network for address in lower}
    return next((each for each in map(ip_interface, upper) if each.network in near), None)

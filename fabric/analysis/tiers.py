"""Which links of a node lead up and which down."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.settings.links import Links
from fabric.settings.network import End, Link, Network


def shut(network: Network) -> frozenset[End]:
    """Return the ends of links that are switched off (those of which nothing is known are not)."""
    return frozenset(
        End(name, port)
        for name, node in network.nodes.items()
        for port, row in node.settings.rows(Links).items()
        if row.enabled is False
    )


def upward(network: Network, off: frozenset[End] = frozenset()) -> Mapping[str, tuple[tuple[Link, str], ...]]:
    """Return per node its links up, each with the name of the upper node; without those of which an end is off."""
    found: dict[str, list[tuple[Link, str]]] = {name: [] for name in network.nodes}
    for link in network.links:
        if off and (link.a in off or link.b in off):
            continue
        low, high = network.nodes[link.a.node].tier, network.nodes[link.b.node].tier
        if low < high:
            found[link.a.node].append((link, link.b.node))
        elif high < low:
            found[link.b.node].append((link, link.a.node))
    return {name: tuple(rows) for name, rows in found.items()}


def speeds(network: Network) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return per node the speed (bit/s) of its links up and of its links down; links that are switched off are none."""
    up, down = dict.fromkeys(network.nodes, 0), dict.fromkeys(network.nodes, 0)
    for name, rows in upward(network, shut(network)).items():
        for link, above in rows:
            up[name] += link.speed
            down[above] += link.speed
    return up, down

"""Which links of a node lead up and which down, as several rules count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.settings.links import Links, Port
from fabric.settings.network import End, Link, Network


def carries(network: Network, link: Link) -> bool:
    """Tell whether both ends of a link are switched on (or nothing is known of them)."""
    return not any(_port(network, end).enabled is False for end in (link.a, link.b))


def _port(network: Network, end: End) -> Port:
    return network.nodes[end.node].settings.rows(Links).get(end.port, Port())


def upward(network: Network) -> Mapping[str, tuple[tuple[Link, str], ...]]:
    """Return per node its carrying links to a higher tier, each with the name of the upper node."""
    return {name: tuple(_upward(network, name)) for name in network.nodes}


def _upward(network: Network, name: str) -> Iterator[tuple[Link, str]]:
    tier = network.nodes[name].tier
    for link, _, far in network.links_of[name]:
        if network.nodes[far.node].tier > tier and carries(network, link):
            yield link, far.node


def downward(network: Network, name: str) -> Iterator[tuple[Link, str]]:
    """Yield the carrying links of a node to a lower tier, each with the name of the lower node."""
    tier = network.nodes[name].tier
    for link, _, far in network.links_of[name]:
        if network.nodes[far.node].tier < tier and carries(network, link):
            yield link, far.node

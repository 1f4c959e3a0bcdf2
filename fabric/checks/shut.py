"""Which ports the design switches off: nothing is expected of the links that end there."""

from __future__ import annotations

from fabric.settings.links import Links
from fabric.settings.network import End, Link, Network


def is_shut(network: Network, end: End) -> bool:
    """Tell whether the design switches this port off."""
    row = network.nodes[end.node].settings.rows(Links).get(end.port)
    return row is not None and row.enabled is False


def shut_end(network: Network, link: Link) -> End | None:
    """Return the end of a link that the design switches off, ``None`` where the link is to be up."""
    return next((end for end in (link.a, link.b) if is_shut(network, end)), None)


def closed(network: Network, end: End) -> bool:
    """Tell whether a port, or the port at the other end of its cable, is switched off by the design."""
    found = network.ends.get(end)
    return is_shut(network, end) or (found is not None and is_shut(network, found[1]))

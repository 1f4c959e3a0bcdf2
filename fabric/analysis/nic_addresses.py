"""The NIC ports of hosts with the addresses that they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabric.analysis.logical import bond_of
from fabric.settings.addresses import Addresses, by_port
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network


@dataclass(frozen=True, slots=True)
class NicAddresses:
    """A cabled NIC port, or the bond of several: the leaves that it leads to, its addresses (with length) in order."""

    end: End
    leaves: tuple[str, ...]
    addresses: tuple[str, ...]


def nic_addresses(network: Network) -> Iterator[NicAddresses]:
    """Yield the NIC ports of all hosts, host by host; hosts of which no addresses are known are left out."""
    for name, rows in network.links_of.items():
        node = network.nodes[name]
        if node.kind == "host" and not isinstance(node.settings.get(Addresses), Absent):
            bonds, held = bond_of(node), by_port(node.settings.rows(Addresses))
            leaves: dict[str, dict[str, None]] = {}
            for _, own, far in rows:
                leaves.setdefault(bonds.get(own.port, own.port), {})[far.node] = None
            for port, reached in leaves.items():
                yield NicAddresses(End(name, port), tuple(reached), tuple(held.get(port, ())))

"""Scope: what on a node is ours, by place and never by name or memory."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Scope:
    """Ports, prefixes and single names of one node that belong to the design.

    ``ports`` are port names (the loopback counts as ``lo``); ``prefixes`` are the address pools, in
    which numbered neighbours and loopback addresses are ours; ``names`` are rows that have no port, each
    written ``<facet> <key>``, such as ``sysctl net.ipv4.ip_forward``.
    """

    ports: frozenset[str] = frozenset()
    prefixes: tuple[Network, ...] = ()
    names: frozenset[str] = frozenset()

    def covers(self, address: str) -> bool:
        """Tell whether an address (``10.0.0.1``, without a length) lies in one of our pools."""
        where = ip_address(address)
        return any(where in prefix for prefix in self.prefixes)

    def __or__(self, other: Scope) -> Scope:
        prefixes = self.prefixes + tuple(p for p in other.prefixes if p not in self.prefixes)
        return Scope(self.ports | other.ports, prefixes, self.names | other.names)

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
    written ``<facet> <key>``, such as ``sysctl net.ipv4.ip_forward``. ``foreign`` are the ports, and the addresses of
    neighbours, that belong to others whatever the rest says: ``swp9``, ``10.0.0.9``, ``2001:db8::9``. A foreign port
    is never among ``ports``, and a foreign address in none of the pools.
    """

    ports: frozenset[str] = frozenset()
    prefixes: tuple[Network, ...] = ()
    names: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ports", self.ports - self.foreign)

    def covers(self, address: str) -> bool:
        """Tell whether an address (``10.0.0.1``, without a length) lies in one of our pools and is not foreign."""
        where = ip_address(address)
        return str(where) not in self.foreign and any(where in prefix for prefix in self.prefixes)

    def __or__(self, other: Scope) -> Scope:
        """Return what is ours together with what was ours at another time; what is foreign is said by this side alone.

        Thus what was ours and is foreign now is left alone, and what is foreign no longer is judged like the rest.
        """
        prefixes = self.prefixes + tuple(p for p in other.prefixes if p not in self.prefixes)
        return Scope(self.ports | other.ports, prefixes, self.names | other.names, self.foreign)

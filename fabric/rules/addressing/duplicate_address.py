"""An address stands on one port only.

What it does
    Looks at every address on the loopbacks, on the cabled ports, on their bonds and on the ports of their VLANs, IPv4
    and IPv6, and reports each address that stands in more than one place.

Why
    A duplicate loopback makes two routers announce one prefix, so traffic reaches whichever is nearer. A duplicate
    NIC address makes two GIDs equal, and RDMA connections reach the wrong host or none.

Fails
    leaf01 and leaf02 both have 10.255.0.3/32 on lo. Two hosts have 10.64.0.9 on their bonds. Two leaves that no bond
    joins have the same gateway address.

Passes
    Every node has its own address; two ports of one /31 have its two addresses. The leaves that one bond leads to hold
    its gateway together, on their sides of the bond or on its VLAN.

Options
    None.

Known limits
    Ports without a cable of the design are not looked at, as a management or container network may repeat addresses.
    There is one VRF. Link-local and 127.0.0.0/8 addresses are not judged.

Source
    RFC 4271 section 1.1 (a BGP identifier is unique within the AS); RFC 5227 (what happens when two hosts have one IPv4
    address); RFC 4862 section 5.4 (the same for IPv6). Catalogue code A01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from ipaddress import ip_address

from fabric.analysis.logical import far_bonds, holder, joined_by_bonds
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per further place of an address."""
    first: dict[str, End] = {}
    together = _Together(network)
    ours = {name: {own.port for _, own, _ in rows} for name, rows in network.links_of.items()}
    for name, node in network.nodes.items():
        rows = node.settings.rows(Addresses)
        if any(key.startswith(("bond", "vlan")) for key in rows):
            ours[name] |= {holder(node, port) for port in ours[name]}
        for key in rows:
            port, _, written = key.partition(" ")
            address = _global(written) if port == "lo" or port in ours[name] else None
            if address is None:
                continue
            here = End(name, port)
            other = first.setdefault(address, here)
            if other != here and not together.hold(other, here):
                yield Violation(
                    path=f"{name}.addresses.{key}",
                    message=f"{here} has the address {address}, which {other} has too",
                    measured=f"{address} in 2 places",
                    bound="1 place",
                    fix="give one of the two another address, or take it away there",
                )


def _global(written: str) -> str | None:
    """Return an address without its length in its usual form; ``None`` for one that every node may have."""
    text = written.partition("/")[0]
    if ":" not in text:
        return None if text.startswith(("127.", "169.254.")) else text
    address = ip_address(text)
    return None if address.is_loopback or address.is_link_local else str(address)


class _Together:
    """Which ports of different leaves hold the gateway of one bond, or of one VLAN that bonds join."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @cached_property
    def _joined(self) -> Mapping[str, str]:
        return joined_by_bonds(self._network)

    @cached_property
    def _bonds(self) -> Mapping[End, End]:
        """The bond of a host that each bond of a leaf leads to."""
        hosts = (name for name, node in self._network.nodes.items() if node.kind == "host")
        rows = ((name, bond, ends) for name in hosts for bond, ends in far_bonds(self._network, name).items())
        return {end: End(name, bond) for name, bond, ends in rows for end in ends}

    def hold(self, one: End, other: End) -> bool:
        """Tell whether one gateway stands on both ports on purpose."""
        if one.node == other.node:
            return False
        if one.port.startswith("vlan") and one.port == other.port:
            return one.node in self._joined and self._joined[one.node] == self._joined.get(other.node)
        return one in self._bonds and self._bonds[one] == self._bonds.get(other)

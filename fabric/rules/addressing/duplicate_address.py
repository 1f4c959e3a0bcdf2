"""An address stands on one port only.

What it does
    Looks at every address on the loopbacks and on the cabled ports of all nodes, and reports each address that stands
    in more than one place.

Why
    A duplicate loopback makes two routers announce one prefix, so traffic reaches whichever is nearer. A duplicate
    NIC address makes two GIDs equal, and RDMA connections reach the wrong host or none.

Fails
    leaf01 and leaf02 both have 10.255.0.3/32 on lo.

Passes
    Every node has its own address; two ports of one /31 have its two addresses.

Options
    None.

Known limits
    Ports without a cable of the design are not looked at, as a management or container network may repeat addresses.
    There is one VRF. Link-local and 127.0.0.0/8 addresses are not judged.

Source
    RFC 4271 section 1.1 (a BGP identifier is unique within the AS); RFC 5227 (what happens when two hosts have one IPv4
    address). Catalogue code A01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_interface

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per further place of an address."""
    first: dict[str, tuple[str, str]] = {}
    for name, node in network.nodes.items():
        for key in node.settings.rows(Addresses):
            port, _, written = key.partition(" ")
            address = ip_interface(written).ip
            if address.is_loopback or address.is_link_local or not _ours(network, name, port):
                continue
            if str(address) not in first:
                first[str(address)] = (name, port)
                continue
            other, other_port = first[str(address)]
            yield Violation(
                path=f"{name}.addresses.{key}",
                message=f"{name}:{port} has the address {address}, which {other}:{other_port} has too",
                measured=f"{address} in 2 places",
                bound="1 place",
                fix="give one of the two another address, or take it away there",
            )


def _ours(network: Network, node: str, port: str) -> bool:
    return port == "lo" or End(node, port) in network.ends

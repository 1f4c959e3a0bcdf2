"""Who sends to a host forgets its address before the switch forgets its port.

What it does
    Compares, for VLANs of ports that pause a priority, after how many seconds an ARP or ND entry that nobody confirms
    is dropped with after how many the switch forgets a MAC address that it no longer hears.

Why
    While the address of a silent host is still known, but its port is not, every packet to it is sent to all ports of
    the VLAN: lossless traffic that nobody asked for, which pauses everybody, and can make buffers wait in a circle.

Fails
    Neighbour entries kept for 14400 s, MAC addresses for 300 s (both are common defaults).

Passes
    Neighbour entries kept for less time than MAC addresses.

Options
    None.

Known limits
    Judges what was read of both times; where one is not known, nothing is said. Hosts keep times of their own.

Source
    Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.2 (the two ages that led to a deadlock).
    Catalogue code C08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.logical import bond_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node
from fabric.settings.pfc import Pfc
from fabric.settings.vlans import Vlans

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port whose VLAN forgets MAC addresses first."""
    for name, node in network.nodes.items():
        for port, vlan in node.settings.rows(Vlans).items():
            if isinstance(vlan.neighbour_age, Absent) or isinstance(vlan.mac_age, Absent) or not _pauses(node, port):
                continue
            if vlan.neighbour_age >= vlan.mac_age:
                yield Violation(
                    path=f"{name}.vlans.{port}",
                    message=f"{name} keeps neighbour entries of VLAN {vlan.id} at least as long as MAC addresses: "
                    "lossless packets to a silent host are flooded",
                    measured=f"{vlan.neighbour_age} s",
                    bound=f"less than {vlan.mac_age} s",
                    fix=f"shorten the age of ARP and ND entries to less than {vlan.mac_age} s, or lengthen that of MAC "
                    "addresses",
                )


def _pauses(node: Node, port: str) -> bool:
    """Tell whether a port, or a member of a bond, pauses a priority."""
    bonds = bond_of(node)
    pauses = node.settings.rows(Pfc)
    return any(row.priorities for each, row in pauses.items() if bonds.get(each, each) == port)

"""The RDMA MTU is as large as the IP MTU allows.

What it does
    Compares the RDMA MTU of each NIC port with the largest whose packets, with the 82 bytes around them, fit into the
    IP MTU of the port. Where the file says it, that is a note; where only the device says it, a warning.

Why
    Each packet costs the same headers, the same look-ups and the same work in the NIC whatever it carries. An RDMA MTU
    of 1024 in a fabric of 9000 sends four times as many packets as it needs to. A driver that was loaded while the port
    still had 1500 stays at 1024, and a connection takes the smaller of both ends.

Fails
    ``rdma_mtu: 1024`` with ``mtu: 9000``.

Passes
    ``rdma_mtu: 4096`` with ``mtu: 9000``; ``rdma_mtu: 1024`` with ``mtu: 1500``; no ``rdma_mtu`` at all.

Options
    None.

Known limits
    An RDMA MTU that is too large has a rule of its own (links.mtu). A smaller one may be meant: it shortens the time
    that others wait behind a packet.

Source
    InfiniBand Architecture Specification, annex A17 (RoCEv2), for the headers and the steps 256 to 4096. Catalogue code
    J06.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.analysis.limits import roomiest
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Network
from fabric.settings.nic import Nic, NicPort

SEVERITY = Severity.NOTE


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per RDMA MTU and IP MTU between which a larger step fits, at the first port that has both."""
    found: dict[tuple[int, int, bool], list[End]] = {}
    for name, node in network.nodes.items():
        links = node.settings.rows(Links)
        wanted = design.network.nodes[name].settings.rows(Nic) if name in design.network.nodes else {}
        for port, row in node.settings.rows(Nic).items():
            mtu = links.get(port, Port()).mtu
            if not isinstance(row.rdma_mtu, Absent) and not isinstance(mtu, Absent):
                meant = row.rdma_mtu == wanted.get(port, NicPort()).rdma_mtu
                found.setdefault((row.rdma_mtu, mtu, meant), []).append(End(name, port))
    for (given, mtu, meant), ends in found.items():
        largest = roomiest(mtu)
        if given < largest:
            yield Violation(
                path=f"{ends[0].node}.nic.{ends[0].port}",
                message=f"the RDMA MTU of {several(ends)} is {given} bytes, and {largest} fit into packets of {mtu} "
                "bytes",
                measured=f"{given} bytes",
                bound=f"{largest} bytes",
                fix=f"write nic_settings.rdma_mtu: {largest}, or keep it when small packets are meant",
                severity=None if meant else Severity.WARNING,
                cause="nic_settings.rdma_mtu",
            )

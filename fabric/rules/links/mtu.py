"""Both ends of a link have one MTU, and the RDMA MTU fits into it.

What it does
    Compares the IP MTU of both ports of each link with one another, with the largest that the systems of switches
    accept, and with the largest RDMA MTU that a NIC is set to, plus 82 bytes for the headers around it. The port of a
    host may have less than that of its leaf, as long as no host has more.

Why
    Routers do not fragment RoCE packets: what is larger than the next port's MTU is dropped without a word. Small
    packets (pings, BGP, connection setup) pass, so the fabric looks healthy until the first large transfer hangs.

Fails
    leaf01:swp1 has 9000 and spine01:swp1 has 1500. The RDMA MTU is 4096 and a link has 4100. A port is to have 9500
    under a system that accepts at most 9216.

Passes
    9000 at both ends with RDMA MTU 4096. Exactly 4178 with RDMA MTU 4096. 9216 on all switches with 9000 on all hosts.

Options
    None.

Known limits
    An end whose MTU is not known is not judged. 82 bytes are Ethernet, a VLAN tag, IPv4, UDP, BTH, RETH, ICRC and
    FCS: counted against the IP MTU this leaves 22 bytes to spare over IPv4, and 2 over IPv6. What NICs accept is for
    nics.mtu, and a narrow link between wide ones for links.mtu-bottleneck.

Source
    InfiniBand Architecture Specification, annex A17 (RoCEv2), for the headers: RDMA MTU + 82 <= MTU of the port.
    Catalogue code G09.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.limits import RDMA_HEADERS, fits, largest_mtu, largest_rdma_mtu
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Link, Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per end above its system's maximum, and one per link that is unequal or too small."""
    rdma = largest_rdma_mtu(network)
    ports = {name: node.settings.rows(Links) for name, node in network.nodes.items()}
    most = {name: largest_mtu(node) for name, node in network.nodes.items()}
    widest: int | None = None
    for link in network.links:
        known = tuple(_mtus(ports, link))
        for end, mtu in known:
            limit = most[end.node]
            if limit is not None and mtu > limit:
                yield _too_large(network, end, mtu, limit)
        low = min(known, key=lambda each: each[1], default=None)
        if low is not None and len(known) > 1 and known[0][1] != known[1][1]:
            widest = _widest(network, ports) if widest is None else widest
            if network.nodes[low[0].node].kind != "host" or low[1] < widest:
                yield _unequal(known)
                continue
        if low is not None and not fits(rdma, low[1]):
            yield _too_small(link, *low, rdma)


def _mtus(ports: Mapping[str, Mapping[str, Port]], link: Link) -> Iterator[tuple[End, int]]:
    for end in (link.a, link.b):
        row = ports[end.node].get(end.port)
        if row is not None and not isinstance(row.mtu, Absent):
            yield end, row.mtu


def _widest(network: Network, ports: Mapping[str, Mapping[str, Port]]) -> int:
    """Return the largest MTU of all ports of hosts: nothing larger comes to any of them."""
    hosts = (link for link in network.links if network.nodes[link.a.node].kind == "host")
    return max((mtu for link in hosts for end, mtu in _mtus(ports, link) if end == link.a), default=0)


def _unequal(known: tuple[tuple[End, int], ...]) -> Violation:
    (low, small), (high, large) = sorted(known, key=lambda each: each[1])
    return Violation(
        path=f"{low.node}.links.{low.port}",
        message=f"{low} has MTU {small} and {high} at the other end has {large}: larger packets are lost in between",
        measured=f"{small} and {large} bytes",
        bound="one MTU at both ends",
        fix=f"set the MTU of {low} to {large}",
        cause=f"{low.node}.links.{low.port}.mtu",
    )


def _too_small(link: Link, end: End, mtu: int, rdma: int) -> Violation:
    return Violation(
        path=f"{end.node}.links.{end.port}",
        message=f"RDMA packets of {rdma} bytes with their headers do not fit the link between {link.a} and {link.b}",
        measured=f"MTU {mtu} bytes",
        bound=f"at least {rdma} + {RDMA_HEADERS} = {rdma + RDMA_HEADERS} bytes",
        fix=f"raise addressing.mtu to {rdma + RDMA_HEADERS} or more, or lower nic_settings.rdma_mtu",
        cause=f"{end.node}.links.{end.port}.mtu",
    )


def _too_large(network: Network, end: End, mtu: int, most: int) -> Violation:
    node = network.nodes[end.node]
    return Violation(
        path=f"{end.node}.links.{end.port}",
        message=f"the MTU {mtu} of {end} is more than {node.system} on {node.model} accepts",
        measured=f"MTU {mtu} bytes",
        bound=f"at most {most} bytes",
        fix=f"lower addressing.mtu to {most} or less",
        cause=f"{end.node}.links.{end.port}.mtu",
    )

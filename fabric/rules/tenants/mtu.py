"""Links between switches carry the packets of tenants with the tunnel around them.

What it does
    Where ports of one tenant stand on more than one switch, compares the IP MTU of each link between switches with the
    largest packet of those tenants' hosts, plus the headers of VXLAN: 50 bytes over IPv4, 70 over IPv6. It is an error
    where RDMA packets (RDMA MTU and 82 bytes, as with links.mtu) do not fit with these headers, else a warning.

Why
    A leaf wraps a tenant's packet with its Ethernet header in a packet of its own, and may not cut it in two. What is
    larger than the next link takes is dropped there. As long as RDMA packets of 4096 bytes pass, everything looks well
    until a host sends a packet of the full size over TCP.

Fails
    ``tenants: {blue: {vni: 100, hosts: ["gpu*"]}}`` and ``addressing.mtu: 9000``: 9050 bytes on the uplinks (warning).
    The same with ``addressing.mtu: 4200`` and ``rdma_mtu: 4096``: 4228 bytes of RDMA (error).

Passes
    9050 or more on all links between switches; ``nodes: {"gpu*": {ports: {eth1: {mtu: 8950}}}}`` for all NIC ports; a
    tenant with ports on one leaf only.

Options
    None.

Known limits
    All links between switches are held to be on the way of tunnels. A link narrower than the ports of hosts is for
    links.mtu-bottleneck, one whose ends differ for links.mtu. The outer header is taken for IPv6 where no switch of a
    tenant has an IPv4 address on its loopback. VLAN tags inside of tunnels (4 bytes) are not counted.

Source
    RFC 7348 section 4.3 (tunnel ends do not fragment) and section 5 (the headers): Ethernet 14, VXLAN 8, UDP 8, and
    IPv4 20 or IPv6 40. Catalogue code G09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fabric.analysis.limits import fits, largest_rdma_mtu
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import End, Network, Node
from fabric.settings.tenants import Tenants

SEVERITY = Severity.WARNING
CERTAIN_LOSS = True
_INNER = 14 + 8 + 8
"""Bytes of the inner Ethernet header, VXLAN and UDP."""


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link between switches that takes hosts' packets, and not with a tunnel around them."""
    tunnelled = _tunnelled(network)
    if not tunnelled:
        return
    sizes = ((_mtu(network, network.ends[end][1]), end) for end in tunnelled if end in network.ends)
    largest, where = max(((mtu, end) for mtu, end in sizes if mtu is not None), default=(0, None))
    outer = 20 if _over_ipv4(network.nodes[end.node] for end in tunnelled) else 40
    widest, rdma = _widest(network), largest_rdma_mtu(network)
    around = _INNER + outer
    need = largest + around
    for link in network.links:
        lower, upper = _mtu(network, link.a), _mtu(network, link.b)
        between = network.nodes[link.a.node].tier > 0
        if between and lower is not None and lower == upper and where is not None and widest <= lower < need:
            sender, carried = network.ends[where][1], fits(rdma, lower - around)
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"the link between {link.a} and {link.b} takes packets of {lower} bytes, and those that "
                f"tenants send ({sender}: {largest}) have {need} in their tunnel"
                + ("" if carried else f"; RDMA packets of {rdma} bytes do not fit either"),
                measured=f"MTU {lower} bytes",
                bound=f"at least {largest} + {around} = {need} bytes",
                fix=f"lower the MTU of all NIC ports to {lower - around}, such as nodes: "
                f'{{"*{network.nodes[sender.node].role}*": {{ports: {{{sender.port}: {{mtu: {lower - around}}}}}}}}}, '
                f"or raise that of all ports between switches to {need}",
                severity=None if carried else Severity.ERROR,
                cause=f"{link.a.node}.links.{link.a.port}.mtu",
            )


def _tunnelled(network: Network) -> Collection[End]:
    """Return the ports of tenants that have ports on more than one switch."""
    ports: dict[str, list[End]] = {}
    for node in network.nodes.values():
        for name, row in node.settings.rows(Tenants).items():
            ports.setdefault(name, []).extend(End(node.name, port) for port in row.ports)
    return [end for ends in ports.values() if len({end.node for end in ends}) > 1 for end in ends]


def _over_ipv4(nodes: Iterator[Node]) -> bool:
    """Tell whether some switch has an IPv4 address on its loopback, where tunnels end."""
    keys = (key for node in nodes for key in node.settings.rows(Addresses))
    return any(key.startswith("lo ") and ":" not in key for key in keys)


def _widest(network: Network) -> int:
    """Return the largest MTU (bytes) of all ports of hosts: a link with less is for links.mtu-bottleneck."""
    hosts = (link.a for link in network.links if network.nodes[link.a.node].tier == 0)
    return max((mtu for mtu in (_mtu(network, end) for end in hosts) if mtu is not None), default=0)


def _mtu(network: Network, end: End) -> int | None:
    row = network.nodes[end.node].settings.rows(Links).get(end.port)
    return None if row is None or isinstance(row.mtu, Absent) else row.mtu

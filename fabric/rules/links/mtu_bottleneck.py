"""No link between switches is narrower than the ports of hosts.

What it does
    Compares the IP MTU of each link between switches with the largest that any NIC port has.

Why
    Hosts send packets of the size of their own port. Where a link on the way takes less, they are dropped there:
    routers do not fragment IPv6, nor IPv4 packets that forbid it, and RoCE packets always do. ECMP leads only some of
    the flows over the narrow link, so that some connections hang and others do not.

Fails
    Under ``nodes``, ``mtu: 4200`` for port swp33 of leaf03 and for swp3 of spine01, while ``addressing.mtu`` is 9000.

Passes
    All ports have ``addressing.mtu``. Links between switches are larger than those of hosts.

Options
    None.

Known limits
    A link whose ends differ, or that is too narrow for RDMA packets, is reported by links.mtu instead. An end whose MTU
    is not known is not judged.

Source
    RFC 8200 section 5 (routers do not fragment), RFC 1191 section 3 (nor what forbids it). Catalogue code G09.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import fits, largest_rdma_mtu
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link between switches that takes less than hosts send."""
    edge = {link.a: _mtu(network, link.a) for link in network.links if network.nodes[link.a.node].tier == 0}
    widest = max(((mtu, str(end)) for end, mtu in edge.items() if mtu is not None), default=None)
    if widest is None:
        return
    rdma = largest_rdma_mtu(network)
    for link in network.links:
        if network.nodes[link.a.node].tier == 0:
            continue
        lower, upper = _mtu(network, link.a), _mtu(network, link.b)
        if lower is not None and lower == upper and fits(rdma, lower) and lower < widest[0]:
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"the link between {link.a} and {link.b} takes packets of {lower} bytes, "
                f"and hosts send up to {widest[0]} ({widest[1]})",
                measured=f"MTU {lower} bytes",
                bound=f"at least {widest[0]} bytes",
                fix=f"raise the MTU of both ports to {widest[0]}, or lower that of all NIC ports to {lower}",
            )


def _mtu(network: Network, end: End) -> int | None:
    row = network.nodes[end.node].settings.rows(Links).get(end.port)
    return None if row is None or isinstance(row.mtu, Absent) else row.mtu

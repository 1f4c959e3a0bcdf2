"""NICs of one host in one subnet answer for themselves only.

What it does
    Where several NIC ports of a host are in one IPv4 subnet, looks at the kernel parameters that decide who answers ARP
    (``arp_ignore`` 1 or 2), and with which address a port asks (``arp_announce`` 2, else a warning): for all ports, or
    for each of them.

Why
    Linux answers ARP for any of its addresses on any port. Peers then learn the hardware address of one NIC for all:
    RDMA arrives at a NIC that has no such connection, or all traffic of a host goes over one rail.

Fails
    Two NICs in 10.64.0.0/26 with ``net.ipv4.conf.all.arp_ignore = 0``.

Passes
    The same with both parameters; NICs in subnets of their own.

Options
    None.

Known limits
    What was not read is not judged. ``arp_filter`` beside rules per source does the same, and is not known here. IPv6
    has no such answers. By which NIC packets leave is asked by addressing.source-routing.

Source
    Linux, Documentation/networking/ip-sysctl.rst (arp_ignore, arp_announce: the larger of ``all`` and the port counts).
    Catalogue code A07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_interface

from fabric.analysis.nic_addresses import nic_addresses
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node
from fabric.settings.sysctl import Sysctl

SEVERITY = Severity.ERROR

_WANTED = {"arp_ignore": (1, 2), "arp_announce": (2,)}


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per host and subnet in which one NIC port answers for another."""
    for (name, subnet), ports in _together(network).items():
        loose = dict(_loose(network.nodes[name], ports))
        if loose:
            answers = any(key.endswith("arp_ignore") for key in loose)
            yield Violation(
                path=f"{name}.sysctl.{next(iter(loose))}",
                message=f"{' and '.join(ports)} of {name} are in {subnet}, and either "
                f"{'answers ARP for the address' if answers else 'may ask by ARP in the name'} of the other",
                measured=", ".join(f"{key} = {value}" for key, value in loose.items()),
                bound="arp_ignore 1 and arp_announce 2",
                fix="set net.ipv4.conf.all.arp_ignore to 1 and net.ipv4.conf.all.arp_announce to 2",
                severity=None if answers else Severity.WARNING,
            )


def _together(network: Network) -> Mapping[tuple[str, str], Sequence[str]]:
    """Return the NIC ports of one host in one IPv4 subnet, where there are several."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for row in nic_addresses(network):
        for address in row.addresses:
            if ":" not in address and not address.endswith(("/31", "/32")):
                found.setdefault((row.end.node, str(ip_interface(address).network)), {})[row.end.port] = None
    return {key: tuple(ports) for key, ports in found.items() if len(ports) > 1}


def _loose(node: Node, ports: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the kernel parameters, with what counts there, that let a port answer for another."""
    found = node.settings.get(Sysctl)
    if isinstance(found, Absent):
        return
    for word, wanted in _WANTED.items():
        for port in ports:
            keys = (f"net.ipv4.conf.all.{word}", f"net.ipv4.conf.{port}.{word}")
            counts = max((int(found.rows[key].value) for key in keys if key in found.rows), default=0)
            if counts not in wanted:
                yield keys[1], counts

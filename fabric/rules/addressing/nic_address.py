"""Every NIC port has one address of a family.

What it does
    Counts the addresses on each cabled NIC port of a host, or on the bond of several, by family. A port without any,
    beside ports that have one, is an error; a port with several of one family is a warning.

Why
    RoCEv2 names the ends of a connection by GIDs, and a NIC makes them of its addresses, one entry of its table for
    each. A port without an address has no GID that can be routed, so nothing connects to it. With two of a family the
    entry that a job is told to use (``NCCL_IB_GID_INDEX``) may stand for either, which differs from host to host and
    after each reboot: connections come up between the wrong addresses, or not at all.

Fails
    eth1 of gpu01 has 10.64.0.1/31 and 10.64.0.99/32. eth2 of gpu01 has none, and its eth1 has one.

Passes
    One IPv4 address, one IPv6 address, or one of each, on every port.

Options
    None.

Known limits
    Hosts without any address on their NICs are not set up yet, and are not judged. Link-local addresses have a GID as
    well, and are no settings. Whether a port carries RDMA is not asked: all cabled NIC ports are judged.

Source
    InfiniBand Architecture Specification, annex A17 (RoCEv2: a GID is the IP address of a port); Linux
    drivers/infiniband/core/roce_gid_mgmt.c (a GID for each address and RoCE version). Catalogue code A05.

Since
    0.3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from fabric.analysis.nic_addresses import NicAddresses, nic_addresses
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port without an address beside others, or with several of one family."""
    for _, found in groupby(nic_addresses(network), key=lambda row: row.end.node):
        rows = tuple(found)
        set_up = any(row.addresses for row in rows)
        for row in rows:
            if set_up and not row.addresses:
                yield _none(row)
            elif len(row.addresses) > 1:
                counts = Counter(6 if ":" in address else 4 for address in row.addresses)
                yield from (_several(row, version, count) for version, count in sorted(counts.items()) if count > 1)


def _none(row: NicAddresses) -> Violation:
    return Violation(
        path=f"{row.end.node}.links.{row.end.port}",
        message=f"{row.end} has no address, and thus no GID that is routed, while other NICs of {row.end.node} have",
        measured="0 addresses",
        bound="1 address",
        fix="give the NIC port its address",
    )


def _several(row: NicAddresses, version: int, count: int) -> Violation:
    found = ", ".join(address for address in row.addresses if (":" in address) is (version == 6))
    return Violation(
        path=f"{row.end.node}.links.{row.end.port}",
        message=f"{row.end} has {count} IPv{version} addresses ({found}): which of them a GID index means is open",
        measured=f"{count} IPv{version} addresses",
        bound="1 address of a family",
        fix="take all addresses but the designed one off the NIC port, and put them on a dummy device",
        severity=Severity.WARNING,
    )

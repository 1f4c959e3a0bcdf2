"""A bond uses all of its members for RDMA.

What it does
    Looks at bonds: their mode must be one that RDMA follows (802.3ad, active-backup, balance-xor), and members must be
    chosen by ports as well (a hash over layer 4).

Why
    Drivers offload RDMA of a bond in these modes only; in others it stays on one port, or stops when that port does.
    RDMA between two hosts has one pair of MAC and IP addresses, and many UDP ports: with a hash over layer 2 or 3 all
    of it takes one member, and the other idles.

Fails
    bond1 of gpu01 has mode ``balance-rr``; bond1 of leaf01 has hash ``layer2+3``.

Passes
    ``802.3ad`` with ``layer3+4``. In ``active-backup`` there is nothing to choose.

Options
    None.

Known limits
    Bonds of which mode and hash are not known are not judged.

Source
    NVIDIA, RoCE over LAG for ConnectX-4 (one RDMA device in bonding modes 1, 2 and 4); Linux, bonding driver
    (``xmit_hash_policy``).
    Catalogue code J08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bonds import Bond, Bonds
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.WARNING
_ONE_AT_A_TIME = "active-backup"
_MODES = ("802.3ad", _ONE_AT_A_TIME, "balance-xor")
_HASHES = ("layer3+4", "encap3+4")


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per bond and thing that keeps RDMA from some of its members."""
    for name, node in network.nodes.items():
        for bond, row in node.settings.rows(Bonds).items():
            for measured, bound in _wrong(row):
                yield Violation(
                    path=f"{name}.bonds.{bond}",
                    message=f"RDMA does not use all members of {bond} on {name}: {measured}",
                    measured=measured,
                    bound=bound,
                    fix="make it a bond of mode 802.3ad with hash layer3+4",
                )


def _wrong(row: Bond) -> Iterator[tuple[str, str]]:
    if not isinstance(row.mode, Absent) and row.mode not in _MODES:
        yield f"mode {row.mode}", f"mode {', '.join(_MODES)}"
    elif row.mode != _ONE_AT_A_TIME and not isinstance(row.hash, Absent) and row.hash not in _HASHES:
        yield f"hash {row.hash}", f"hash {' or '.join(_HASHES)}"

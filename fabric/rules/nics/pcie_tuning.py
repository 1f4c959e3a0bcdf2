"""Transfers of a NIC are not slowed down by its PCIe settings.

What it does
    Notes, where it is known, NIC ports with read requests below 4096 bytes, without relaxed ordering, or with access
    control services (ACS) on the way.

Why
    Each costs throughput in its own way: short read requests cost headers and round trips, strict ordering makes writes
    wait for each other, and ACS sends what a NIC reads from a GPU up to the processor and back. A host that is slow to
    take data in pauses its leaf.

Fails
    ``read_request: 512``, as most machines start; ``relaxed_ordering: false``; ``acs: true`` (notes).

Passes
    ``nic_settings: {read_request: 4096, relaxed_ordering: true, acs: false}``; nothing of it known.

Options
    None.

Known limits
    In virtual machines ACS is needed. The right values depend on machine and firmware, so that these are notes.

Source
    NVIDIA, performance tuning for ConnectX (MaxReadReq 4096, relaxed ordering); NCCL user guide, troubleshooting (ACS).
    Catalogue code J05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network
from fabric.settings.nic import Nic, NicPort

SEVERITY = Severity.NOTE
_LARGE = 4096

Said = tuple[str, str, str]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per host and setting that slows it down, at the first port that has it."""
    for name, node in network.nodes.items():
        found: dict[Said, list[End]] = {}
        for port, row in node.settings.rows(Nic).items():
            for said in _slow(row):
                found.setdefault(said, []).append(End(name, port))
        for (measured, bound, fix), ends in found.items():
            message = f"PCIe transfers of {several(ends)} are slower than they could be: {measured}"
            yield Violation(f"{name}.nic.{ends[0].port}", message, measured, bound, fix)


def _slow(row: NicPort) -> Iterator[Said]:
    if not isinstance(row.read_request, Absent) and row.read_request < _LARGE:
        measured, bound = f"read requests of {row.read_request} bytes", f"{_LARGE} bytes"
        yield measured, bound, f"raise MaxReadReq to {_LARGE}, and write nic_settings.read_request"
    if row.relaxed_ordering is False:
        yield "no relaxed ordering", "relaxed ordering", "allow relaxed ordering, in the firmware or by the application"
    if row.acs is True:
        yield "ACS on", "ACS off", "switch ACS off on the bridges between NIC and GPU; keep it for virtual machines"

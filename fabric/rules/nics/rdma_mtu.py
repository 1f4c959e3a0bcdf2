"""The RDMA MTU is as large as the IP MTU allows.

What it does
    Compares ``nic_settings.rdma_mtu`` with the largest RDMA MTU whose packets, with the 82 bytes around them, fit into
    ``addressing.mtu``.

Why
    Each packet costs the same headers, the same look-ups and the same work in the NIC whatever it carries. An RDMA MTU
    of 1024 in a fabric of 9000 sends four times as many packets as it needs to.

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

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.limits import fits

SEVERITY = Severity.NOTE

_STEPS = (256, 512, 1024, 2048, 4096)


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation when a larger RDMA MTU would fit."""
    settings, mtu = document.intent.nic_settings, document.intent.addressing.mtu
    given = settings.rdma_mtu if settings else None
    largest = max((step for step in _STEPS if fits(step, mtu)), default=0)
    if given is not None and given < largest:
        yield Violation(
            path="nic_settings.rdma_mtu",
            message=f"the RDMA MTU is {given} bytes, and {largest} fit into packets of {mtu} bytes",
            measured=f"{given} bytes",
            bound=f"{largest} bytes",
            fix=f"write rdma_mtu: {largest}, or keep it when small packets are meant",
        )

"""Packets are sprayed only at NICs that put them in order.

What it does
    With ``routing: {load_balance: spray}`` and a class that carries RDMA, looks at the NIC of each host role whose
    ports carry such a class, and names those that are not known to take packets out of order.

Why
    Spraying sends the packets of one flow over all paths, so they arrive out of order. A NIC that wants them in order
    takes each gap for a loss and has everything after it sent again: the fabric is busy and the job stands.

Fails
    ``load_balance: spray`` with hosts of ``nic: connectx-4`` or ``nic: soft-roce``.

Passes
    ``load_balance: spray`` with ``nic: connectx-7``; ``load_balance: dlb``, which moves flows only in their gaps.

Options
    None.

Known limits
    The NIC must be told as well (with mlx5: relaxed ordering and adaptive routing of RoCE); that is not read. Which
    NICs of other drivers can is known of the Pollara only.

Source
    NVIDIA, MLNX_OFED and DOCA documentation, Out-of-Order Data Placement (mlx5: ConnectX-5 and later); AMD at
    Advancing AI 2025 on the Pollara 400 (packets are sprayed, and put in order by the NIC). Catalogue code C11.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.hardware import lookup
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING

_IN_ORDER_ONLY = ("connectx-4", "connectx-4-lx")
_REORDERING = ("mlx5", "ionic")


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per host role with RDMA whose NIC is not known to reorder."""
    routing = document.intent.routing
    if routing is None or routing.load_balance != "spray":
        return
    rdma = tuple(each for each in design.classes if each.rdma)
    for role, hosts in document.intent.topology.hosts.items():
        if not any(each.carried(role) for each in rdma) or hosts.nic not in lookup.nics():
            continue
        driver = lookup.nic(hosts.nic).driver
        if driver not in _REORDERING or hosts.nic in _IN_ORDER_ONLY:
            yield Violation(
                path="routing.load_balance",
                message=f"packets are sprayed, and {hosts.nic} of {role} hosts (driver {driver}) is not known to take "
                "them out of order",
                measured=f"spray with {hosts.nic}",
                bound="a NIC that takes packets out of order",
                fix="write load_balance: dlb or ecmp, or choose another NIC",
            )

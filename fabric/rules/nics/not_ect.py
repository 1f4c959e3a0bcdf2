"""RDMA leaves hosts as ECN-capable.

What it does
    Where switches mark (some queue has ECN), looks at the packets that NICs send: they must be ECN-capable (ECT), and
    the two low bits of the traffic class must not say ``11``, congestion experienced; ``01`` is noted.

Why
    A switch marks only what says that it understands marks. All other packets in the same queue it drops, with the
    probability with which it would have marked: a lossless class loses packets at a thousandth of its buffer. With
    ``11`` every packet looks as if it had met congestion, and senders stay slow.

Fails
    A NIC whose RDMA is not ECT (``ecn_marking`` 0); traffic class 107 (DSCP 26 with ``11``); 105 (``01``, a note).

Passes
    104, where the NIC adds the bits itself; 106 (``10``), the usual one.

Options
    None.

Known limits
    Whether a NIC adds the bits is known only where it was read. Whether a switch takes them away is not seen here.

Source
    RFC 3168 section 5 (00 not ECT, 01 and 10 ECT, 11 congestion experienced); RFC 9331 (01 stands for L4S). Catalogue
    code D12.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.ecn import Ecn
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.settings.nic import Nic, NicPort

SEVERITY = Severity.ERROR

Said = tuple[str, str, str, Severity | None]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port that sends RDMA as something else than ECN-capable."""
    if not any(node.settings.rows(Ecn) for node in network.nodes.values()):
        return
    for name, node in network.nodes.items():
        for port, row in node.settings.rows(Nic).items():
            found = _wrong(row)
            if found is not None:
                what, measured, fix, severity = found
                yield Violation(
                    path=f"{name}.nic.{port}",
                    message=f"RDMA of {name}:{port} {what}",
                    measured=measured,
                    bound="ECT, such as the bits 10",
                    fix=fix,
                    severity=severity,
                )


def _wrong(row: NicPort) -> Said | None:
    byte = 0 if isinstance(row.traffic_class, Absent) else row.traffic_class
    bits, better = f"traffic class {byte}: bits {byte % 4:02b}", f"set the traffic class to {byte - byte % 4 + 2}"
    if byte % 4 == 3:
        return "leaves as if it had met congestion already", bits, better, None
    if row.ect is False:
        return "is not ECN-capable: switches drop it where they would mark it", "not ECT", "let the NIC send ECT", None
    if byte % 4 == 1:
        return "has the ECN bits that stand for L4S, which some switches mark otherwise", bits, better, Severity.NOTE
    return None

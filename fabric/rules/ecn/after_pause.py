"""Marks come before pauses.

What it does
    Compares, for every marking queue of a lossless class, the threshold from which every packet is marked (max) with
    the queue at which its only feeder is paused: alpha S / (1 + alpha), where S is what all queues of the switch share.

Why
    ECN slows senders down so that PFC is not needed. Where pauses begin before all packets are marked, senders are
    stopped hop by hop while they have hardly been told: pauses spread, and hold up traffic that has nothing to do with
    the hot port.

Fails
    ``ecn: {max: 10MB}`` with ``alpha: 1/8`` and 64 MB that are shared: a feeder is paused at 7.1 MB.

Passes
    ``ecn: {max: 2MiB}`` there; 10 MB with ``alpha: 1/4``, where it is paused at 12.8 MB; ``max: auto``.

Options
    None.

Known limits
    One feeder is the worst case: more of them are paused later (see ecn.incast). Everything else is assumed idle, as
    what other queues hold lowers the limit for all. Not judged where the buffer of the chip, a headroom or alpha is not
    known. More than the whole pool is a matter of ecn.beyond-buffer.

Source
    Dynamic thresholds (Choudhury and Hahne, 1998) solved for a queue with one feeder; the same formula is the pause
    point in SONiC's own tests (sonic-mgmt, QoS parameters). DCQCN (SIGCOMM 2015) section 4: ECN before PFC. Catalogue
    code F03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.marking import queue_of, row_of
from fabric.design.pausing import pauses_at
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_bytes, megabytes

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue that is paused before all of it is marked."""
    for node, ports, row, near in scene(network).queues():
        if not near.lossless or near.alpha is None or near.shared is None or isinstance(row.kmax, Absent):
            continue
        bound = pauses_at(near.alpha, near.shared, 1)
        if bound < row.kmax <= near.shared:
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, row.queue)} is marked in full from {format_bytes(row.kmax)} on, and "
                f"a single feeder is paused at {bound / 1e6:.2f} MB (alpha {near.alpha:g}, {megabytes(near.shared)} "
                "shared)",
                measured=f"max {row.kmax} bytes",
                bound=f"at most {int(bound)} bytes",
                fix="write max: auto, or a smaller size, or give buffers a larger alpha",
            )

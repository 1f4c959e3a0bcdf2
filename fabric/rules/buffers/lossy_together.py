"""Lossy queues of one port leave room for lossless traffic to be marked before it is paused.

What it does
    On each port with a marking queue of a lossless class: when the k lossy queues that have a share there are all full,
    a lossless priority group is paused at A S / (1 + A + k L), with its alpha A, their alpha L (``lossy_alpha``) and
    the shared buffer S. That is compared with where its queue begins to be marked (min).

Why
    Each full lossy queue takes L times what is free, and the lossless threshold shrinks with the free buffer. Below the
    first mark senders are paused before anything has told them to slow down, and for traffic that is not theirs.

Fails
    ``{alpha: 1/8, lossy_alpha: 1}`` with two lossy queues, 64 MB shared and ``ecn: {min: 3MB}``: paused at 2.56 MB.

Passes
    ``min: 2MB`` there; ``lossy_alpha: 1/8`` there, where it is paused at 5.82 MB.

Options
    None.

Known limits
    Only the queues of one port are taken to be full: lossy traffic that fills several ports takes more. Strict queues
    are not counted, as they carry little. Lossy traffic is taken to share the pool of lossless traffic; on a system
    where it has one of its own this is too strict. Where a feeder is paused too early in an empty buffer, that is said
    by ecn.after-pause, and an alpha for lossy queues above 3/2 by buffers.lossy-share. Not judged where the buffer of
    the chip, a headroom or an alpha is not known.

Source
    Dynamic thresholds (Choudhury and Hahne, IEEE/ACM Transactions on Networking, 1998), solved for k + 1 queues that
    are all at their limit. Catalogue code G12.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from fabric.analysis.marking import queue_of, row_of
from fabric.design.pausing import pauses_at
from fabric.design.thresholds_ports import lossless_queues, scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node
from fabric.settings.queues import Queues, Scheduler

SEVERITY = Severity.WARNING
_ONE_QUEUE = 1.5
"""The alpha above which buffers.lossy-share finds a single lossy queue too large."""


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue that is paused before its first mark by lossy queues."""
    for node, ports, row, near in scene(network).queues():
        lossy = node.settings.rows(Buffers).get(ports[0], PortBuffer()).lossy_alpha
        if isinstance(lossy, Absent) or lossy > _ONE_QUEUE or isinstance(row.kmin, Absent):
            continue
        if not near.lossless or near.alpha is None or near.shared is None:
            continue
        many = _lossy(node, ports[0])
        alpha, taken = Fraction(near.alpha), many * Fraction(lossy)
        bound = floor(alpha * near.shared / (1 + alpha + taken))
        if bound < row.kmin <= pauses_at(near.alpha, near.shared, 1):
            yield Violation(
                path=row_of(node, ports),
                message=f"while {many} lossy {'queue' if many == 1 else 'queues'} of the port may hold "
                f"{float(100 * taken / (1 + alpha + taken)):.1f}% of the shared buffer, "
                f"{queue_of(node, ports, row.queue)} is paused at {bound / 1e6:.2f} MB, before its first mark at "
                f"{row.kmin / 1e6:.2f} MB",
                measured=f"min {row.kmin} bytes",
                bound=f"at most {bound} bytes",
                fix="write a smaller lossy_alpha, a smaller min, or a larger alpha",
            )


def _lossy(node: Node, port: str) -> int:
    """Return how many queues of a port have a share and are not lossless."""
    scheduler = node.settings.rows(Queues).get(port, Scheduler(()))
    lossless = lossless_queues(node, port)
    return sum(1 for queue in scheduler.queues if queue.share and not queue.strict and queue.number not in lossless)

"""Senders of the declared incast slow down before they are paused.

What it does
    Takes the number of senders m that ``ecn.incast`` of a lossless class declares (8 where it says nothing). When its
    queue passes the threshold where marking begins (min), they go on at line rate until they hear of it; that is
    compared with the queue at which m feeders are paused:
    min + (m - 1) x rate x tau <= m alpha S / (1 + m alpha).

Why
    Thresholds help only against congestion that lasts longer than the senders take to react. An incast that is larger
    than the buffer can hold until then is paused, whatever the thresholds are.

Fails
    ``incast: 8`` at 400G with 8 us until senders slow down, 8 MB shared, ``alpha: 1/8`` and ``min: 1600KB``: 4.4 MB
    come, and pauses begin at 4.0 MB.

Passes
    The same with 64 MB, where they begin at 32 MB; ``incast: 32`` there: 14.0 of 51.2 MB.

Options
    ``ecn.incast`` of the class.

Known limits
    tau is the base round trip of the longest path (600 ns per NIC and way, 800 ns per switch, 5 ns per metre) and the
    intervals of CNPs and of cuts, as the NICs are set or NVIDIA's defaults. All senders are taken to start at line
    rate, each through a port of its own, and everything else to be idle. Not judged where the buffer, a headroom,
    alpha, the length of a cable or the speed of a switch in software is not known. A threshold that is open counts as
    0. Where even a single feeder is paused before all is marked, that is said by ecn.after-pause, and nothing here.

Source
    Dynamic thresholds (Choudhury and Hahne, 1998) solved for m equal feeders of one queue; DCQCN (SIGCOMM 2015) for the
    order of events. Catalogue code F04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.marking import queue_of, row_of
from fabric.design.model import Design
from fabric.design.pausing import comes_late, most_senders, pauses_at
from fabric.design.thresholds import DEFAULT_INCAST
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue that pauses the declared incast before it slows down."""
    senders = _declared(design)
    for node, ports, row, near in scene(network).queues():
        many = senders.get(row.queue)
        if many is None or not near.lossless or near.alpha is None or near.shared is None or near.delay is None:
            continue
        if not isinstance(row.kmax, Absent) and row.kmax > pauses_at(near.alpha, near.shared, 1):
            continue
        begins = 0 if isinstance(row.kmin, Absent) else row.kmin
        late, bound = comes_late(near.speed, near.delay, many), pauses_at(near.alpha, near.shared, many)
        held = begins + late
        if held > bound:
            most = most_senders(begins, comes_late(near.speed, near.delay, 2), near.alpha, near.shared)
            yield Violation(
                path=row_of(node, ports),
                message=f"{many} senders to {queue_of(node, ports, row.queue)} put {held / 1e6:.2f} MB into it until "
                f"they slow down, {near.delay / 1000:g} us after its first mark; pauses begin at {bound / 1e6:.2f} MB",
                measured=f"{int(held)} bytes",
                bound=f"at most {int(bound)} bytes" + (f", as of up to {most} senders" if most else ""),
                fix=(f"declare incast: {most} or less, " if most else "give buffers a larger alpha, ")
                + ("lower min, " if late <= bound else "")
                + "or leave more buffer to share",
            )


def _declared(design: Design) -> Mapping[int, int]:
    """Return the most senders that classes with ECN declare, by queue."""
    declared = ((each.queue, each.incast or DEFAULT_INCAST) for each in design.classes if each.ecn)
    return dict(sorted(declared))

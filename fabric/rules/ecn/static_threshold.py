"""Marks come before pauses where the limit of what comes in is fixed.

What it does
    On ports whose lossless priorities have a fixed limit instead of one that follows the pool: compares it with what
    the port can have in all other marking queues of the switch together, each as long as the threshold from which every
    packet is marked (max).

Why
    What comes in at one port may stand in the queues of all others at once. None of these needs to be long enough to be
    marked in full for the port to be paused.

Fails
    A fixed limit of 1 MB on a switch with three other ports, and ``max: 400KB``: 1.2 MB may stand before all is marked.

Passes
    ``max: 333KB`` there; limits that follow the pool (``alpha``), which ecn.after-pause judges.

Options
    None.

Known limits
    One port that feeds all others at once is the worst case, and rare. ``fabric`` itself sets no fixed limits: they are
    judged where they were read from devices.

Source
    DCQCN (SIGCOMM 2015) section 4, thresholds of PFC and ECN: the fixed limit divided by the number of queues that one
    port feeds. Catalogue code F05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.thresholds_ports import lossless_queues
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers
from fabric.settings.ecn import Ecn
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with a fixed limit that the queues it feeds can exceed before all is marked."""
    for node in network.nodes.values():
        for port, row in node.settings.rows(Buffers).items():
            if not isinstance(row.static, Absent):
                yield from _judged(node, port, row.static)


def _judged(node: Node, port: str, limit: int) -> Iterator[Violation]:
    for queue in sorted(lossless_queues(node, port)):
        fed = [
            each.kmax
            for other, marks in node.settings.rows(Ecn).items()
            for each in marks.queues
            if other != port and each.queue == queue and not isinstance(each.kmax, Absent)
        ]
        if sum(fed) >= limit and fed:
            yield Violation(
                path=f"{node.name}.buffers.{port}",
                message=f"{node.name}:{port} is paused when {limit} bytes from it are held, and queues {queue} of the "
                f"{len(fed)} other ports hold {sum(fed)} bytes before all of them are marked in full",
                measured=f"{sum(fed)} bytes",
                bound=f"below {limit} bytes: max of {(limit - 1) // len(fed)} bytes on each",
                fix="lower ecn.max of the class, raise the fixed limit, or let the limit follow the pool (alpha)",
            )

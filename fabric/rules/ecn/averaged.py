"""Thresholds are compared with the queue as it is.

What it does
    Looks for marking queues of which the system compares an average with the thresholds.

Why
    An average follows the queue late. Senders of RDMA fill a buffer within microseconds: marks that come after that
    come after the pauses.

Fails
    ``random-detect ... weight 9`` on a queue of an RDMA class.

Passes
    ``weight 0``; systems that have no average, or do not say.

Options
    None.

Known limits
    The weight is judged where it was read from devices; ``fabric`` itself asks for no average.

Source
    Cisco's blueprint for AI fabrics on Nexus 9000 sets weight 0; DCQCN (SIGCOMM 2015) section 3.1 marks by the queue as
    it is. Catalogue code F12.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.marking import queue_of, row_of
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue that is averaged."""
    for node, ports, row, _ in scene(network).queues():
        if not isinstance(row.weight, Absent) and row.weight > 0:
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, row.queue)} marks by an average of weight {row.weight}, which follows "
                "the queue late",
                measured=f"weight {row.weight}",
                bound="weight 0",
                fix="set the weight to 0, so that the queue is compared as it is",
            )

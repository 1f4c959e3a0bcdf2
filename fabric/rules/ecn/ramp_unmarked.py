"""Some packets are marked below the threshold where all of them are.

What it does
    Looks for marking queues whose probability just below the upper threshold (max) is 0, although there is a ramp.

Why
    Such a queue marks nothing until it marks everything: a step at max, with min of no use. Mostly 0 stands for "not
    decided", or a fraction was meant.

Fails
    ``ecn: {min: 100KB, max: 400KB, probability: 0%}``.

Passes
    ``probability: 5%``; ``probability: auto``; equal thresholds, which make a step on purpose.

Options
    None.

Known limits
    How much is to be marked is not judged here: see the rules of group dcqcn.

Source
    DCQCN (Zhu et al., SIGCOMM 2015) section 3.1 for the marking curve. Catalogue code F02.

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
    """Yield one violation per switch, kind of ports and queue whose ramp marks nothing."""
    for node, ports, row, _ in scene(network).queues():
        if not isinstance(row.pmax, Absent) and row.pmax <= 0 and row.kmin != row.kmax:
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, row.queue)} marks nothing below max, and everything above it",
                measured=f"probability {row.pmax:g}%",
                bound="above 0%",
                fix="write a probability such as 5%, or auto",
            )

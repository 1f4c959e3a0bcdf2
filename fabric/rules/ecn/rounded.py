"""Thresholds as the chip and the system hold them.

What it does
    Prints, for every threshold that is not a whole number of buffer cells of its chip (or, under Junos, of percents of
    the queue), the next smaller one that is. Runs on request only: ``fabric validate --select ecn.rounded``.

Why
    A device that rounds answers with another size than it was given. Whoever compares the two should know that they
    mean the same, and whoever needs the exact size should write one that can be held.

Fails
    ``ecn: {min: 1MB}`` on Tomahawk 5, whose cells have 254 bytes: 999998 bytes are held.

Passes
    ``min: 999998B`` there; ``min: auto``, which is rounded already; switches whose chip is not known.

Options
    None.

Known limits
    Which way a device rounds is not published for most; the smaller size is shown, as it marks earlier.

Source
    The cells of each chip, with their sources, stand in the hardware data. Catalogue code F13.

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

SEVERITY = Severity.NOTE
ON_REQUEST = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports, queue and threshold that is rounded."""
    for node, ports, row, near in scene(network).queues():
        steps = near.granularity
        for name, size in (("min", row.kmin), ("max", row.kmax)):
            if isinstance(size, Absent) or (steps.unit == "percent" and not steps.queue):
                continue
            held = steps.down(size)
            if held != size:
                yield Violation(
                    path=row_of(node, ports),
                    message=f"{name} of {queue_of(node, ports, row.queue)}: {size} bytes are held as {held} "
                    f"({steps.words(held)}; {steps.said()})",
                    measured=f"{name} {size} bytes",
                    bound=f"{held} bytes",
                    fix=f"write {held}B where the exact size matters",
                )

"""Marking begins before it is full.

What it does
    Compares, for every marking queue of every port, the threshold where marking begins (min) with the one from which
    on every packet is marked (max).

Why
    Between the two, the probability of a mark rises from 0 to its maximum. With min above max there is no such slope:
    some devices refuse the profile, others mark everything or nothing, and DCQCN gets a step where it needs a ramp.

Fails
    ``ecn: {min: 400KB, max: 100KB}``.

Passes
    ``ecn: {min: 100KB, max: 400KB}``. Equal thresholds, which make a step on purpose, are legal.

Options
    None.

Known limits
    Thresholds that are ``auto`` and not computed, or not read, are not judged. Whether the slope suits the link is
    not asked.

Source
    DCQCN (Zhu et al., SIGCOMM 2015) section 3.1 for the marking curve. Catalogue code F02, with equality allowed.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.marking import queue_of, row_of
from fabric.design.model import Design
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_bytes, format_speed

SEVERITY = Severity.ERROR


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per class with thresholds the wrong way round, else one per node and queue."""
    planned = tuple(_planned(design))
    yield from planned
    if not planned:
        for node, ports, row, _ in scene(network).queues():
            if not isinstance(row.kmin, Absent) and not isinstance(row.kmax, Absent) and row.kmin > row.kmax:
                yield _violation(row_of(node, ports), queue_of(node, ports, row.queue), row.kmin, row.kmax)


def _planned(design: Design) -> Iterator[Violation]:
    for each in design.classes:
        for speed in each.speeds or (0,):
            kmin, kmax = each.kmin_on(speed), each.kmax_on(speed)
            if kmin is not None and kmax is not None and kmin > kmax:
                where = f" at {format_speed(speed)}" if speed else ""
                yield _violation(f"classes.{each.name}.ecn.min", f"class {each.name}{where}", kmin, kmax)


def _violation(path: str, what: str, kmin: int, kmax: int) -> Violation:
    return Violation(
        path=path,
        message=f"{what} begins to mark at {format_bytes(kmin)}, above its maximum {format_bytes(kmax)}",
        measured=f"min {format_bytes(kmin)}",
        bound=f"at most max {format_bytes(kmax)}",
        fix="exchange min and max of the class's ecn",
    )

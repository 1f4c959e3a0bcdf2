"""A queue may hold some packets before all are marked.

What it does
    Asks that the threshold from which every packet is marked is at least two packets of full size, in every class and,
    where it was read from a device, on every port.

Why
    A threshold below that marks whatever moves, as a queue is never shorter than the packet that is being sent. Mostly
    a unit is wrong: 150B for 150KB.

Fails
    ``ecn: {min: 100B, max: 400B}`` with ``mtu: 9000``.

Passes
    ``ecn: {min: 100KB, max: 400KB}``.

Options
    None.

Known limits
    Thresholds that are ``auto`` and not computed, or not read, are not judged.

Source
    Own reasoning from the mechanism; catalogue code F14.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.marking import queue_of, row_of
from fabric.design.model import Design, TrafficClass
from fabric.design.thresholds import LEAST
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_bytes

SEVERITY = Severity.ERROR


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per class whose upper threshold is below two packets, and per queue that was read so."""
    said: set[int] = set()
    for found in design.classes:
        small = [size for size in _sizes(found) if size < LEAST * design.mtu]
        said.update(small)
        if small:
            yield _violation(f"classes.{found.name}.ecn.max", f"class {found.name}", min(small), design.mtu)
    for node, ports, row, near in scene(network).queues():
        if not isinstance(row.kmax, Absent) and row.kmax < LEAST * near.mtu and row.kmax not in said:
            yield _violation(row_of(node, ports), queue_of(node, ports, row.queue), row.kmax, near.mtu)


def _violation(path: str, what: str, size: int, mtu: int) -> Violation:
    return Violation(
        path=path,
        message=f"{what} marks every packet from {format_bytes(size)} on, which is less than {LEAST} packets of "
        f"{mtu} bytes",
        measured=format_bytes(size),
        bound=f"at least {format_bytes(LEAST * mtu)}",
        fix="check the unit: 400KB, not 400B",
    )


def _sizes(found: TrafficClass) -> tuple[int, ...]:
    return (*(size for _, size in found.kmax_by_speed), *(() if found.kmax is None else (found.kmax,)))

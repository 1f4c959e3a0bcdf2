"""A queue may hold some packets before all are marked.

What it does
    Asks that the threshold from which every packet is marked is at least two packets of full size, on every port.

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

from fabric.design.model import Design, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.units import format_bytes

SEVERITY = Severity.ERROR

_PACKETS = 2


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per class whose upper threshold is below two packets at some speed."""
    bound = _PACKETS * design.mtu
    for found in design.classes:
        small = [size for size in _sizes(found) if size < bound]
        if small:
            yield Violation(
                path=f"classes.{found.name}.ecn.max",
                message=f"class {found.name} marks every packet from {format_bytes(min(small))} on, which is less than "
                f"{_PACKETS} packets of {design.mtu} bytes",
                measured=format_bytes(min(small)),
                bound=f"at least {format_bytes(bound)}",
                fix="check the unit: 400KB, not 400B",
            )


def _sizes(found: TrafficClass) -> tuple[int, ...]:
    return (*(size for _, size in found.kmax_by_speed), *(() if found.kmax is None else (found.kmax,)))

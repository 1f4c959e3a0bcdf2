"""Thresholds grow with the speed.

What it does
    Compares the sizes that ``ecn.min`` and ``ecn.max`` give per speed, each with the next faster one: a faster port
    must have a larger size, and at most about in proportion: between half and twice the ratio of the speeds.

Why
    A queue of so many bytes is so many microseconds of delay, half as long at twice the speed. A size that was copied
    from a slower port marks too early: throughput is lost without a queue. One that grows much faster than the speed
    marks too late, and pauses come before marks.

Fails
    ``min: {100G: 150KB, 400G: 150KB}`` (does not grow); ``{100G: 150KB, 200G: 900KB}`` (six times for twice the speed).

Passes
    ``min: {100G: 150KB, 400G: 600KB}``; also ``{100G: 150KB, 400G: 300KB}``, half of the proportion. One size for all
    speeds.

Options
    None.

Known limits
    Whether the sizes suit the round trip is not asked. Speeds without a size are refused when the design is built.

Source
    HPCC (Li et al., SIGCOMM 2019), its simulator's DCQCN mode: thresholds of 4 KB and 16 KB per Gbit/s. Catalogue code
    F08 (within a factor of 2 of the ratio of speeds).

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.units import format_bytes, format_speed

SEVERITY = Severity.WARNING

_FACTOR = 2

Size = tuple[int, int]


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per threshold and pair of neighbouring speeds whose sizes are out of proportion."""
    for found in design.classes:
        for key, sizes in (("min", found.kmin_by_speed), ("max", found.kmax_by_speed)):
            for slower, faster in pairwise(sizes):
                yield from _judged(f"classes.{found.name}.ecn.{key}", slower, faster)


def _judged(path: str, slower: Size, faster: Size) -> Iterator[Violation]:
    speeds, sizes = Fraction(faster[0], slower[0]), Fraction(faster[1], max(slower[1], 1))
    least, most = speeds / _FACTOR * slower[1], speeds * _FACTOR * slower[1]
    if faster[1] <= slower[1]:
        how = "does not grow with the speed"
    elif not speeds / _FACTOR <= sizes <= speeds * _FACTOR:
        how = f"grows {float(sizes):.3g} times for {float(speeds):.3g} times the speed"
    else:
        return
    low = max(int(least), slower[1] + 1)
    yield Violation(
        path=path,
        message=f"{path} is {_said(slower)} and {_said(faster)}: it {how}",
        measured=format_bytes(faster[1]),
        bound=f"{format_bytes(low)} to {format_bytes(int(most))}",
        fix=f"give {format_speed(faster[0])} about {format_bytes(int(speeds * slower[1]))}, in proportion to the speed",
    )


def _said(size: Size) -> str:
    return f"{format_bytes(size[1])} at {format_speed(size[0])}"

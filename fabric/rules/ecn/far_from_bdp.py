"""Marking begins within reach of what is under way.

What it does
    Compares the threshold where marking begins (min) with the bandwidth-delay product of the port: its speed times the
    base round trip of the longest path. From a twentieth of it to sixteen times it is taken for granted.

Why
    A threshold in a wrong unit, or of another speed, is off by a factor of ten and more. Far below the product a link
    idles after every mark; far above it, marks come when queues already delay everybody.

Fails
    ``min: 10KB`` at 400G over three switches (395 KB under way); ``min: 7MB`` there.

Passes
    ``min: 20KB`` to ``min: 6320KB`` there; ``min: auto``.

Options
    None.

Known limits
    The round trip is an estimate without queues: 600 ns per NIC and way, 800 ns per switch, 5 ns per metre. Not judged
    where a cable of the path has no length, or a switch forwards in software. Profiles that have the same sizes at
    every distance (``paper``, ``nvidia-preset``) may be far off on very long cables: the finding is right then, too.

Source
    Settings that are published, shipped and in use lie between 0.07 (Huawei's static ECN, 7 KB at 100G) and 10.4 times
    the product (SONiC's default, 1 MiB at 100G) over three switches; a slip of a unit is a factor of 8 or 1000.
    Catalogue code F06, with wider bounds.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from fabric.analysis.marking import queue_of, row_of
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_bytes, format_speed

SEVERITY = Severity.WARNING
_PART = 20
_TIMES = 16


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue whose marking begins too early or too late."""
    for node, ports, row, near in scene(network).queues():
        if near.bdp is None or near.trip is None or isinstance(row.kmin, Absent):
            continue
        low, high = ceil(near.bdp / _PART), floor(_TIMES * near.bdp)
        if not low <= row.kmin <= high:
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, row.queue)} begins to mark at {format_bytes(row.kmin)}, "
                f"{_times(row.kmin / float(near.bdp))} times what is under way at {format_speed(near.speed)} in a "
                f"round trip of {near.trip / 1000:g} us",
                measured=f"min {row.kmin} bytes",
                bound=f"{low} to {high} bytes",
                fix="check the unit and the speed that the size was meant for, or write min: auto",
            )


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"

"""The ramp from the first mark to full marking is long enough.

What it does
    Compares the distance between the thresholds (min and max) of every marking queue with four packets, and with the
    bandwidth-delay product of the port.

Why
    Within a few packets, senders hear nothing and then everything: they all cut at once, the queue runs empty, and they
    all rise again. A ramp as long as what is under way lets them settle.

Fails
    ``ecn: {min: 100KB, max: 110KB}`` with ``mtu: 9000`` (warning); ``{min: 100KB, max: 300KB}`` at 400G over three
    switches, where 395 KB are under way (note). Equal thresholds, which make a step on purpose (note).

Passes
    ``ecn: {min: 200KB, max: 800KB}`` there; ``max: auto``.

Options
    None.

Known limits
    How steep a ramp may be depends on the senders as well: see the rules of group dcqcn. The product is not known
    where a cable has no length, or a switch forwards in software; four packets always are. Thresholds of less than two
    packets are a matter of ecn.tiny.

Source
    Analysis of DCQCN (Zhu et al., CoNEXT 2016): a wider ramp adds to the phase margin. Catalogue code F07, with equal
    thresholds allowed.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from fabric.analysis.marking import queue_of, row_of
from fabric.design.thresholds import LEAST, RAMP, Surroundings
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_bytes

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue whose ramp is short."""
    for node, ports, row, near in scene(network).queues():
        if isinstance(row.kmin, Absent) or isinstance(row.kmax, Absent) or row.kmax < max(row.kmin, LEAST * near.mtu):
            continue
        ramp = row.kmax - row.kmin
        least, why, severity = _bound(ramp, near)
        if ramp < least:
            said = f"rises from no marks to all of them within {ramp} bytes" if ramp else "marks everything or nothing"
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, row.queue)} {said}: less than {why}",
                measured=f"{ramp} bytes",
                bound=f"at least {least} bytes",
                fix=f"write max: auto, or a max of {format_bytes(row.kmin + least)} and more",
                severity=severity,
            )


def _bound(ramp: int, near: Surroundings) -> tuple[int, str, Severity]:
    """Return how long the ramp is to be, why, and how bad it is that it is not."""
    packets = RAMP * near.mtu
    if 0 < ramp < packets or near.bdp is None:
        return packets, f"{RAMP} packets of {near.mtu} bytes", Severity.WARNING if ramp else Severity.NOTE
    return max(ceil(near.bdp), packets), "what is under way in a round trip", Severity.NOTE

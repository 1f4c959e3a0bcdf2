"""A queue can be as long as the threshold at which all of it is marked.

What it does
    Compares the threshold from which every packet is marked (max) with what all queues of the switch share; where that
    is not known, with the whole buffer of its chip.

Why
    A queue never gets that long: it is paused or dropped before. Mostly a unit is wrong: 400MB for 400KB.

Fails
    ``ecn: {max: 400MB}`` on Tomahawk 5, whose buffer has 173 MB.

Passes
    ``ecn: {max: 4MB}`` there; any size on a model whose chip is not known.

Options
    None.

Known limits
    Whether marks come before pauses is a matter of ecn.after-pause. Too small a threshold is one of ecn.tiny.

Source
    The buffer of each chip, with its source, stands in the hardware data. Catalogue code F14.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.marking import queue_of, row_of
from fabric.design.chips import chip_at
from fabric.design.thresholds import Surroundings
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node
from fabric.units import format_bytes, megabytes

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and queue whose upper threshold is beyond the buffer."""
    for node, ports, row, near in scene(network).queues():
        if isinstance(row.kmax, Absent):
            continue
        bound, what = _most(network, node, near)
        if bound and row.kmax > bound:
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, row.queue)} is marked in full from {format_bytes(row.kmax)} on, more "
                f"than {what}",
                measured=f"max {row.kmax} bytes",
                bound=f"at most {bound} bytes",
                fix="check the unit (400KB, not 400MB), or write max: auto",
            )


def _most(network: Network, node: Node, near: Surroundings) -> tuple[int, str]:
    """Return the bytes that a queue could have at the very most, and what they are; 0 where nothing is known."""
    if near.shared is not None:
        return near.shared, f"the {megabytes(near.shared)} that all queues share"
    chip = chip_at(network, node)
    if chip is None or chip.buffer is None:
        return 0, ""
    return chip.buffer.total, f"the {megabytes(chip.buffer.total)} of {chip.name}"

"""Budget: how the buffer of a switch is divided into headroom, what is reserved, and what all queues share."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from fabric.settings.facet import Absent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.hardware.asics import Asic
    from fabric.settings.buffers import PortBuffer
    from fabric.settings.pfc import Pause
    from fabric.settings.pools import BufferPool


@dataclass(frozen=True, slots=True)
class Budget:
    """The buffer of one switch, in bytes.

    ``total`` is what its chip has, ``demand`` the headroom of all ports and lossless priorities together, ``kept`` what
    is set aside for it, ``reserved`` what single queues have to themselves, ``shared`` what is left for all of them.
    """

    total: int
    demand: int
    kept: int
    reserved: int

    @property
    def shared(self) -> int:
        """What all queues share: negative where more is promised than there is."""
        return self.total - self.kept - self.reserved


def budget(
    chip: Asic,
    buffers: Mapping[str, PortBuffer],
    pauses: Mapping[str, Pause],
    pools: Mapping[str, BufferPool],
    ratio: Fraction,
) -> Budget | None:
    """Return the budget of a switch; ``None`` where the buffer of its chip is not known, or a headroom is open.

    ``buffers`` and ``pauses`` are by port, ``ratio`` says how many times the headroom of all ports may exceed what is
    set aside (1: each port has its own).
    """
    if chip.buffer is None:
        return None
    demand = 0
    for port, pause in pauses.items():
        row = buffers.get(port)
        if not pause.priorities:
            continue
        if row is None or isinstance(row.headroom, Absent):
            return None
        demand += row.headroom * len(pause.priorities)
    del pools
    return Budget(chip.buffer.total, demand, round(demand / ratio), 0)

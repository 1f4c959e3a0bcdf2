"""Budget: how the buffer of a switch is divided into headroom, what is reserved, and what all queues share."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil
from typing import TYPE_CHECKING, Final

from fabric.design.chips import chip_at
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.pfc import Pfc
from fabric.settings.pools import Pools

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.hardware.asics import Asic, PacketBuffer
    from fabric.settings.buffers import PortBuffer
    from fabric.settings.network import Network, Node
    from fabric.settings.pfc import Pause
    from fabric.settings.pools import BufferPool

DEFAULT_RATIO: Final = 1
"""Each port has headroom of its own, so that all can be paused at once: the default of SONiC's templates, too."""
_EGRESS: Final = "egress"
_LOSSY: Final = "lossy"


@dataclass(frozen=True, slots=True)
class Budget:
    """The buffer of one switch, in bytes.

    ``total`` is what its chip has, ``demand`` the headroom of all ports and lossless priorities together, ``kept`` what
    is set aside for it, ``reserved`` what single priority groups have to themselves and what no pool for lossless
    traffic can have (``outside`` is the second part of it), ``shared`` what is left for all lossless queues. ``ports``
    is the demand of each port that is paused at all, largest first.
    """

    total: int
    demand: int
    kept: int
    reserved: int
    ports: tuple[int, ...] = ()
    outside: int = 0

    @property
    def shared(self) -> int:
        """What all queues share: negative where more is promised than there is."""
        return self.total - self.kept - self.reserved

    @property
    def paused_at_once(self) -> int:
        """How many ports, whichever they are, can be paused at once without loss."""
        return bisect_right(tuple(accumulate(self.ports)), self.kept)


def budget_of(network: Network, node: Node) -> Budget | None:
    """Return the budget of a switch as its settings say, designed or read; ``None`` where it is not known.

    The intent says by how much headroom is over-subscribed, else it is not: each port has its own.
    """
    chip, settings = chip_at(network, node), node.settings
    if chip is None:
        return None
    ratio = Fraction(network.oversubscribe or DEFAULT_RATIO)
    return budget(chip, settings.rows(Buffers), settings.rows(Pfc), settings.rows(Pools), ratio)


def budget(
    chip: Asic,
    buffers: Mapping[str, PortBuffer],
    pauses: Mapping[str, Pause],
    pools: Mapping[str, BufferPool],
    ratio: Fraction,
) -> Budget | None:
    """Return the budget of a switch; ``None`` where the buffer of its chip is not known, or a headroom is open.

    ``buffers`` and ``pauses`` are by port, ``ratio`` says how many times the headroom of all ports may exceed what is
    set aside (1: each port has its own). Where ``pools`` have headroom or a size for lossless traffic, these count.
    """
    if chip.buffer is None:
        return None
    ports: list[int] = []
    priorities = 0
    for port, pause in pauses.items():
        if not pause.priorities:
            continue
        row = buffers.get(port)
        if row is None or isinstance(row.headroom, Absent):
            return None
        ports.append(row.headroom * len(pause.priorities))
        priorities += len(pause.priorities)
    demand = sum(ports)
    kept = headroom_pool(pools.values())
    usable = _usable(chip.buffer, pools)
    outside = chip.buffer.total - usable
    return Budget(
        total=chip.buffer.total,
        demand=demand,
        kept=ceil(demand / ratio) if kept is None else kept,
        reserved=outside + priorities * chip.buffer.group,
        ports=tuple(sorted(ports, reverse=True)),
        outside=outside,
    )


def headroom_pool(pools: Iterable[BufferPool]) -> int | None:
    """Return the headroom in bytes that pools set aside for all ports together; ``None`` where none does."""
    return sum(pool.xoff for pool in pools if not isinstance(pool.xoff, Absent)) or None


def incoming(pools: Mapping[str, BufferPool]) -> Mapping[str, BufferPool]:
    """Return the pools that count what comes in, by the names of systems; those for egress count the same bytes."""
    return {name: pool for name, pool in pools.items() if _EGRESS not in name.lower()}


def together(pools: Mapping[str, BufferPool], most: int) -> int:
    """Return the bytes that pools take together, headroom included.

    Headroom is beside the size where both fit into ``most`` bytes, else within it: tables that ship do either.
    """
    size = sum(pool.size for pool in pools.values())
    beside = size + (headroom_pool(pools.values()) or 0)
    return beside if beside <= most else size


def _usable(buffer: PacketBuffer, pools: Mapping[str, BufferPool]) -> int:
    """Return the bytes that lossless queues have, headroom included."""
    lossless = {name: pool for name, pool in incoming(pools).items() if _LOSSY not in name.lower()}
    return together(lossless, buffer.pools) if lossless else buffer.pools

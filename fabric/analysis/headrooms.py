"""Headrooms: the switch ports that pause a priority, what they set aside for it, and what they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabric.design.chips import chip_at
from fabric.design.headroom import Need, needed
from fabric.hardware.asics import Asic
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.facet import Absent, Maybe
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Link, Network, once
from fabric.settings.pfc import Pfc
from fabric.units import format_speed

LONG = 2000
"""Metres of the longest cable that published tables of chips with an on-chip buffer cover."""
_DEEP = 10**9
_OPEN = PortBuffer()
_UNKNOWN = Port()


@dataclass(frozen=True, slots=True)
class Headroom:
    """A cabled switch port that pauses: what is set (``row``), its IP MTU, its chip, and what it needs.

    ``need`` is ``None`` where the chip, the length of the cable or the MTU is not known.
    """

    own: End
    link: Link
    row: PortBuffer
    mtu: Maybe[int]
    chip: Asic | None
    need: Need | None

    @property
    def path(self) -> str:
        """Where findings about it point."""
        return f"{self.own.node}.buffers.{self.own.port}"

    @property
    def cable(self) -> str:
        """Its cable in words: ``at 400G over 5 m``."""
        return f"at {format_speed(self.link.speed)} over {self.link.length:g} m"

    @property
    def judged(self) -> bool:
        """Whether what it has can be compared with what it needs."""
        return self.need is not None and not isinstance(self.row.headroom, Absent)

    @property
    def small(self) -> bool:
        """Whether it has less than it needs: the rules that say so need no second one that says why."""
        return (
            self.need is not None and not isinstance(self.row.headroom, Absent) and self.row.headroom < self.need.auto
        )


@once
def headrooms(network: Network) -> tuple[Headroom, ...]:
    """Return all of a network, in order of nodes and links."""
    return tuple(_headrooms(network))


def _headrooms(network: Network) -> Iterator[Headroom]:
    for node in network.nodes.values():
        paused = node.settings.rows(Pfc)
        if node.kind != "switch" or not paused:
            continue
        rows, ports, chip = node.settings.rows(Buffers), node.settings.rows(Links), chip_at(network, node)
        for link, own, _ in network.links_of[node.name]:
            pause = paused.get(own.port)
            if pause is None or not pause.priorities:
                continue
            mtu = ports.get(own.port, _UNKNOWN).mtu
            need = None if isinstance(mtu, Absent) else needed(chip, link.speed, link.length, mtu)
            yield Headroom(own, link, rows.get(own.port, _OPEN), mtu, chip, need)


def is_deep(chip: Asic) -> bool:
    """Tell whether a chip has a deep buffer: one of memory beside the chip, which gigabytes are."""
    return chip.buffer is not None and chip.buffer.total >= _DEEP

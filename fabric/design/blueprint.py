"""Blueprint: all that is decided once for the whole fabric, before settings per node are made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fabric.design.addressing import Pair, Pools
from fabric.design.bonds import ways_out
from fabric.design.layout import Attachment, Layout, Wire
from fabric.design.model import Tenancy, TrafficClass
from fabric.design.quality import Quality
from fabric.intent.document import Document


@dataclass(frozen=True)
class Blueprint:
    """The intent, nodes and cables, where addresses come from, classes, and what they mean on ports."""

    document: Document
    layout: Layout
    pools: Pools
    classes: tuple[TrafficClass, ...]
    quality: Quality
    tenants: tuple[Tenancy, ...]

    @cached_property
    def links(self) -> Mapping[Wire, tuple[Pair, ...]]:
        """The addresses of all cables between switches."""
        return {wire: self.pools.of_wire(wire) for wires in self.layout.uplinks.values() for wire in wires}

    @cached_property
    def ways(self) -> Mapping[Attachment, tuple[Attachment, ...]]:
        """All cables of hosts, each with those that are bonded with it (itself included), the first port first.

        Cables to removed leaves are among them: a bond keeps the address and the id that its first port gave it.
        """
        rows = (rows for nics in self.layout.laid.values() for rows in ways_out(nics))
        return {row: together for together in rows for row in together}

    @cached_property
    def edges(self) -> Mapping[Attachment, tuple[Pair, ...]]:
        """The addresses of all cables of hosts; bonded ones have those of their first."""
        found = {row: self.pools.of_nic(row) for row, together in self.ways.items() if together[0] is row}
        return {row: found[self.ways[row][0]] for nics in self.layout.nics.values() for row in nics}

    @property
    def families(self) -> frozenset[int]:
        """The families (4, 6) in which the fabric routes."""
        return frozenset(pool.version for pool in self.pools.loopbacks)

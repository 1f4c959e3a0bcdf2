"""Queues that DCQCN has to settle in: ports of switches, the class there, and where it marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabric.analysis.edges import edges
from fabric.analysis.marking import queue_of, row_of
from fabric.design.model import Design, TrafficClass
from fabric.design.thresholds_ports import class_at, scene
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network

FLOWS = (2, 8, 32)
"""The numbers of flows at one port that are looked at where a class declares none."""


@dataclass(frozen=True, slots=True)
class Settling:
    """A marking queue of ports that are alike, of a class whose senders follow DCQCN.

    ``path`` is the row of the first port and ``where`` names all in words; ``speed`` in bit/s, ``kmin`` and ``kmax`` in
    bytes, ``pmax`` as a share (0 to 1), ``trip`` the base round trip in seconds, ``None`` where it is not known.
    """

    path: str
    where: str
    found: TrafficClass
    speed: int
    kmin: int
    kmax: int
    pmax: float
    trip: float | None

    @property
    def flows(self) -> tuple[int, ...]:
        """The numbers of flows to look at: what the class declares, else `FLOWS`."""
        return FLOWS if self.found.flows is None else (self.found.flows,)


def settlings(design: Design, network: Network) -> Iterator[Settling]:
    """Yield the marking queues of classes with congestion dcqcn whose thresholds are all known."""
    classes = tuple(found for found in design.classes if found.congestion == "dcqcn")
    if not classes:
        return
    roles: dict[End, str | None] = {}
    if any(found.edge is not None for found in classes):
        roles = {link.b: role for link, role in edges(network, design)}
    for node, ports, row, near in scene(network).queues():
        found = class_at(classes, row.queue, roles.get(End(node.name, ports[0])))
        if found is None or isinstance(row.kmin, Absent) or isinstance(row.kmax, Absent):
            continue
        if isinstance(row.pmax, Absent) or not row.pmax:
            continue
        trip = None if near.trip is None else near.trip / 10**9
        yield Settling(
            path=row_of(node, ports),
            where=queue_of(node, ports, row.queue),
            found=found,
            speed=near.speed,
            kmin=row.kmin,
            kmax=row.kmax,
            pmax=row.pmax / 100,
            trip=trip,
        )

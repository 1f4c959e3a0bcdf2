"""Thresholds of the ports of a network: what is known around each queue, and ``auto`` filled in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from fabric.design.chips import chip_at
from fabric.design.pausing import pauses_at
from fabric.design.pool_of import shared_pool
from fabric.design.round_trip import reaction, round_trip
from fabric.design.thresholds import Surroundings, thresholds, wanted
from fabric.hardware.granularity import Granularity
from fabric.hardware.lookup import threshold_unit
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.ecn import Ecn, Marking, PortMarking
from fabric.settings.facet import ABSENT, Absent
from fabric.settings.links import Links, Port
from fabric.settings.maps import Maps
from fabric.settings.network import Network, once
from fabric.settings.pfc import Pfc

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.design.model import TrafficClass
    from fabric.settings.network import Node

Value = TypeVar("Value")


Kind: TypeAlias = "tuple[tuple[str, ...], PortMarking, tuple[Surroundings, ...]]"
"""Ports of one switch that are alike, how they mark, and what is around each of their marking queues."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A network, with what has to be found out once: round trips per queue, reaction of senders, pools per switch."""

    network: Network
    _trips: dict[int, int | str] = field(default_factory=dict)
    _pools: dict[str, int | str] = field(default_factory=dict)

    @cached_property
    def reaction(self) -> int:
        """How much later than a round trip senders slow down, in ns."""
        return reaction(self.network)

    def trip(self, queue: int) -> int | str:
        """Return the base round trip of what a queue marks, in ns, or why it is not known."""
        if queue not in self._trips:
            self._trips[queue] = round_trip(self.network, queue)
        return self._trips[queue]

    def pool(self, node: Node) -> int | str:
        """Return the bytes that all queues of a switch share, or why that is not known."""
        if node.name not in self._pools:
            self._pools[node.name] = shared_pool(self.network, node)
        return self._pools[node.name]

    @cached_property
    def kinds(self) -> Mapping[str, tuple[Kind, ...]]:
        """The kinds of cabled ports that mark, per switch."""
        return {name: tuple(self._kinds(node)) for name, node in self.network.nodes.items() if node.kind == "switch"}

    def queues(self) -> Iterator[tuple[Node, tuple[str, ...], Marking, Surroundings]]:
        """Yield each marking queue of each kind of ports, with its switch and its ports."""
        for name, kinds in self.kinds.items():
            for ports, row, around in kinds:
                for each, near in zip(row.queues, around, strict=True):
                    yield self.network.nodes[name], ports, each, near

    def _kinds(self, node: Node) -> Iterator[Kind]:
        rows = node.settings.rows(Ecn)
        if not rows:
            return
        facets = [node.settings.rows(each) for each in (Links, Buffers, Pfc, Maps)]
        apart = [facet for facet in facets if len(set(map(id, facet.values()))) > 1 or not facet.keys() >= rows.keys()]
        alike: dict[tuple[int, ...], list[str]] = {}
        for link, own, _ in self.network.links_of[node.name]:
            row = rows.get(own.port)
            if row is not None:
                kind = (id(row), link.speed, *[id(facet.get(own.port)) for facet in apart])
                alike.setdefault(kind, []).append(own.port)
        for (_, speed, *_), ports in alike.items():
            row = rows[ports[0]]
            set_to = node.settings.rows(Links).get(ports[0], Port())
            mtu = 0 if isinstance(set_to.mtu, Absent) else set_to.mtu
            near = (self._around(node, ports[0], each.queue, (speed, mtu)) for each in row.queues)
            yield tuple(ports), row, tuple(near)

    def _around(self, node: Node, port: str, queue: int, known: tuple[int, int]) -> Surroundings:
        """Return what is around a queue; ``known`` are the speed of the port and its IP MTU."""
        lossless = queue in lossless_queues(node, port)
        pool, trip = self.pool(node), self.trip(queue)
        row = node.settings.rows(Buffers).get(port, PortBuffer())
        given = row.alpha if lossless else row.lossy_alpha
        alpha, shared = None if isinstance(given, Absent) else given, None if isinstance(pool, str) else pool
        chip = chip_at(self.network, node)
        queue_size = 0 if alpha is None or shared is None else floor(pauses_at(alpha, shared, 1))
        return Surroundings(
            speed=known[0],
            mtu=known[1],
            trip=None if isinstance(trip, str) else trip,
            reaction=0 if isinstance(trip, str) else self.reaction,
            lossless=lossless,
            alpha=alpha,
            shared=shared,
            granularity=Granularity(threshold_unit(node.system), chip.cell if chip else 1, queue_size),
            no_trip=trip if isinstance(trip, str) else "",
            no_pool=pool if isinstance(pool, str) else "" if alpha is not None else "no alpha is given",
        )


@once
def scene(network: Network) -> Scene:
    """Return what is known around the queues of a network."""
    return Scene(network)


def lossless_queues(node: Node, port: str) -> frozenset[int]:
    """Return the queues of a port that get priorities which are paused; none where no map is known."""
    pause, maps = node.settings.rows(Pfc).get(port), node.settings.rows(Maps).get(port)
    if pause is None or maps is None:
        return frozenset()
    return frozenset(maps.priority_to_queue[priority] for priority in pause.priorities)


def class_at(classes: tuple[TrafficClass, ...], queue: int, edge: str | None) -> TrafficClass | None:
    """Return the class whose ECN a queue of a port has; ``edge`` is the host role at its other end."""
    return next((found for found in classes if found.ecn and found.queue == queue and found.carried(edge)), None)


def marked(network: Network, classes: tuple[TrafficClass, ...], roles: Mapping[tuple[str, str], str]) -> Network:
    """Return a network with the thresholds that are ``auto``, wherever they can be computed.

    ``roles`` are the host roles at the other ends of ports of leaves. Ports that need the same share one value.
    """
    if not any(found.ecn_auto for found in classes):
        return network
    shared: dict[PortMarking, PortMarking] = {}
    settings = {}
    for name, kinds in scene(network).kinds.items():
        rows: dict[str, PortMarking] = dict(network.nodes[name].settings.rows(Ecn))
        for ports, row, around in kinds:
            found = _computed(row, around, classes, roles.get((name, ports[0])))
            rows |= dict.fromkeys(ports, shared.setdefault(found, found))
        if kinds:
            settings[name] = network.nodes[name].settings.with_(Ecn(rows))
    return network.with_settings(settings)


def _computed(
    row: PortMarking, around: tuple[Surroundings, ...], classes: tuple[TrafficClass, ...], edge: str | None
) -> PortMarking:
    return PortMarking(
        tuple(
            _filled(each, near, class_at(classes, each.queue, edge))
            for each, near in zip(row.queues, around, strict=True)
        )
    )


def _filled(row: Marking, near: Surroundings, found: TrafficClass | None) -> Marking:
    if found is None or not found.ecn_auto:
        return row
    made = thresholds(wanted(found, near.speed), near)
    return replace(row, kmin=_maybe(made.kmin), kmax=_maybe(made.kmax), pmax=_maybe(made.pmax))


def _maybe(value: Value | None) -> Value | Absent:
    return ABSENT if value is None else value

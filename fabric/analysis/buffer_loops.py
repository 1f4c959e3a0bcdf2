"""Which buffers wait for which: the dependencies of lossless traffic, and circles in them.

A channel is a pair of neighbours: the packets that the second one holds of what the first one sent. Where both pause
each other's priority, a channel waits for the next one on a packet's way. A circle of channels can stand still for
good. Ways that lead up, and then down, have no circle: channels up are in order of the tiers that they lead to, and
before all channels down, which are in order as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from fabric.analysis.bgp_routes import Hops, Sets, either
from fabric.analysis.bgp_sessions import Speakers
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.watchdog import Watchdog

if TYPE_CHECKING:
    from rustworkx import PyDiGraph

Channel: TypeAlias = tuple[str, str]
"""The sending and the holding switch."""
Pausing: TypeAlias = Mapping[Channel, End]
"""Channels that pause, with the first port of the holding switch that does."""


@dataclass(frozen=True)
class Ways:
    """What switches may do with packets: next hops, and ``at``, the destinations that are delivered to hosts.

    Packets come from the hosts of the ``edge`` switches.
    """

    tier: Mapping[str, int]
    edge: tuple[str, ...]
    hops: Hops
    at: Mapping[str, int]

    @cached_property
    def carried(self) -> Hops:
        """Per holding switch and sender the destinations of the packets that it gets from there, and sends on."""
        held: Sets = {}
        found: Hops = {}
        everything = either({name: either(ways) for name, ways in self.hops.items()})
        pending = {name: everything & ~self.at.get(name, 0) for name in self.edge if name in self.hops}
        while pending:
            name, some = pending.popitem()
            held[name] = held.get(name, 0) | some
            for far, ways in self.hops[name].items():
                senders = found.setdefault(far, {})
                if more := some & ways & ~self.at.get(far, 0) & ~senders.get(name, 0):
                    senders[name] = senders.get(name, 0) | more
                    if new := more & ~held.get(far, 0):
                        pending[far] = pending.get(far, 0) | new
        return found

    def onward(self, sender: str, name: str) -> Iterator[str]:
        """Yield the switches that packets go on to which a switch got from a neighbour."""
        some = self.carried.get(name, {}).get(sender, 0)
        return (far for far, ways in self.hops.get(name, {}).items() if some & ways)

    def turn(self) -> bool:
        """Tell whether packets go up, or sideways, after they have come down, or sideways."""
        for name, senders in self.carried.items():
            own = self.tier[name]
            down = _together(senders, (far for far in senders if self.tier[far] >= own))
            if down and down & _together(self.hops[name], (far for far in self.hops[name] if self.tier[far] >= own)):
                return True
        return False


def _together(sets: Mapping[str, int], names: Iterator[str]) -> int:
    found = 0
    for name in names:
        found |= sets[name]
    return found


def ordered(speakers: Speakers) -> bool:
    """Tell whether AS numbers alone keep every path that BGP may ever choose from leading down and up again.

    That is so in three tiers at most when no session leads sideways, nobody takes paths with its own number, and all
    above a switch have one number, as have all above the leaves of one host. A path that was told downwards then holds
    the numbers of the tiers that it has passed, so that nobody takes it from below again, nor does anybody above the
    leaf of a destination take a path to it from above. What is lost, and in which order news arrive, is no matter.
    """
    if max(speakers.tier.values(), default=0) > 3:
        return False
    above = {name: frozenset(_above(speakers, name)) for name in speakers.asn}
    lax = any(session.lax for neighbors in speakers.hears.values() for session in neighbors.values())
    together = (frozenset().union(*(above[name] for name in names)) for names in set(speakers.announced.values()))
    return not lax and all(len(numbers) <= 1 for numbers in (*above.values(), *together)) and not _sideways(speakers)


def _above(speakers: Speakers, name: str) -> Iterator[int]:
    """Yield the AS numbers of the switches above one that it hears, or that hear it."""
    around = {*speakers.hears[name], *speakers.senders.get(name, {})}
    return (speakers.asn[far] for far in around if speakers.tier[far] > speakers.tier[name])


def _sideways(speakers: Speakers) -> bool:
    tier = speakers.tier
    return any(tier[name] == tier[far] for name, neighbors in speakers.hears.items() for far in neighbors)


def pausing(network: Network, speakers: Speakers) -> Mapping[tuple[int, ...], Pausing]:
    """Return the channels on which priorities are paused, under priorities that are paused on the same ones."""
    found: dict[int, dict[Channel, End]] = {}
    for name in speakers.asn:
        rows = network.nodes[name].settings.rows(Pfc)
        for sender, session in speakers.senders.get(name, {}).items():
            others = network.nodes[sender].settings.rows(Pfc)
            for end in session.ends:
                held = network.ends[end][1]
                mine, theirs = rows.get(held.port), others.get(end.port)
                if mine is not None and theirs is not None:
                    for priority in _sent(mine) & _obeyed(theirs):
                        found.setdefault(priority, {}).setdefault((sender, name), held)
    alike: dict[frozenset[Channel], list[int]] = {}
    for priority in sorted(found):
        alike.setdefault(frozenset(found[priority]), []).append(priority)
    return {tuple(priorities): found[priorities[0]] for priorities in alike.values()}


def _sent(row: Pause) -> frozenset[int]:
    return row.priorities if isinstance(row.sent, Absent) else row.sent


def _obeyed(row: Pause) -> frozenset[int]:
    return row.priorities if isinstance(row.received, Absent) else row.received


def watched(network: Network, ports: Iterable[End], priorities: Iterable[int]) -> bool:
    """Tell whether watchdogs end long pauses of these priorities on all cables to these ports, at their far ends."""
    for end in ports:
        sender = network.ends[end][1]
        row = network.nodes[sender.node].settings.rows(Watchdog).get(sender.port)
        if row is None or row.action == "alert":
            return False
        if not isinstance(row.priorities, Absent) and not row.priorities.issuperset(priorities):
            return False
    return True


def circle(ways: Ways, channels: Pausing) -> tuple[End, ...]:
    """Return the ports of a circle of channels that wait for each other; none where there is no circle."""
    if not ways.turn():
        return ()
    found = _to_and_fro(ways, channels) or _around(ways, channels)
    return tuple(channels[channel] for channel in found)


def _to_and_fro(ways: Ways, channels: Pausing) -> tuple[Channel, ...]:
    """Return a circle of two channels, the commonest one: packets go back to where they came from, on both sides."""
    for sender, name in channels:
        back = (name, sender)
        if back in channels and sender in ways.onward(sender, name) and name in ways.onward(name, sender):
            return ((sender, name), back)
    return ()


def _around(ways: Ways, channels: Pausing) -> tuple[Channel, ...]:
    """Return a circle of any length."""
    graph, order = dependencies(ways, channels)
    return tuple(order[place] for place in first_circle(graph))


def dependencies(ways: Ways, channels: Pausing) -> tuple[PyDiGraph[None, None], tuple[Channel, ...]]:
    """Return the graph whose nodes are channels, in this order, with an edge from each to those that it waits for."""
    import rustworkx  # noqa: PLC0415  # heavy, and only needed where something leads down and up again

    order = tuple(channels)
    place = {channel: number for number, channel in enumerate(order)}
    graph: PyDiGraph[None, None] = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from([None] * len(order))
    for (sender, name), number in place.items():
        waits = (place.get((name, far)) for far in ways.onward(sender, name))
        graph.add_edges_from_no_data([(number, other) for other in waits if other is not None])
    return graph, order


def first_circle(graph: PyDiGraph[Any, Any]) -> tuple[int, ...]:
    """Return the shortest circle through the first node that is in one; none where there is no circle."""
    import rustworkx  # noqa: PLC0415  # as above

    parts = [part for part in rustworkx.strongly_connected_components(graph) if len(part) > 1]
    if not parts:
        return ()
    start = min(min(part) for part in parts)
    came: dict[int, int] = {}
    near = deque([start])
    while start not in came:
        node = near.popleft()
        for after in graph.successor_indices(node):
            if after not in came:
                came[after] = node
                near.append(after)
    back = [start]
    while (before := came[back[-1]]) != start:
        back.append(before)
    return (start, *reversed(back[1:]))


def circles(network: Network, speakers: Speakers, ways: Ways) -> Iterator[tuple[tuple[int, ...], tuple[End, ...]]]:
    """Yield the first circle of each set of priorities that are paused on the same channels."""
    for priorities, channels in pausing(network, speakers).items():
        if ports := circle(ways, channels):
            yield priorities, ports

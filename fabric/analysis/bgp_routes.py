"""What BGP makes of announcements: for all destinations at once, the ways that every switch takes to them.

A set of destinations is an int with a bit for each, so that one operation serves all of them. A destination stands for
all prefixes that the same switches announce. As BGP does, a switch takes the shortest AS path among those that do not
hold its own AS number, and all of equal length; it passes on one path, of which nobody can say beforehand which one it
is, so a path that one of its next hops offers counts as passed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from fabric.analysis.bgp_sessions import Speakers

Sets: TypeAlias = dict[str, int]
"""Sets of destinations under names of switches."""
Hops: TypeAlias = dict[str, Sets]
"""Per switch and next hop, the destinations that it sends there."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What is lost: a switch, or all links between two switches."""

    node: str = ""
    pair: frozenset[str] = frozenset()

    def severs(self, one: str, other: str) -> bool:
        """Tell whether nothing passes between two neighbours any more."""
        return self.node in (one, other) or (one in self.pair and other in self.pair)


NOTHING = Cut()


@dataclass(frozen=True)
class Destinations:
    """Groups of prefixes with the same announcing switches: one prefix of each, and its bit at those switches."""

    prefixes: tuple[str, ...]
    origins: tuple[tuple[str, ...], ...]

    @cached_property
    def at(self) -> Mapping[str, int]:
        """The destinations of each switch that announces any."""
        found: Sets = {}
        for bit, names in enumerate(self.origins):
            for name in names:
                found[name] = found.get(name, 0) | 1 << bit
        return found


@dataclass(frozen=True)
class Routes:
    """Converged routes of one family. ``known`` are the destinations that a switch has a route to, or announces.

    ``avoid`` holds per AS number that is followed, and per switch, the destinations to which one of its paths does not
    hold that number.
    """

    speakers: Speakers
    family: int
    known: Sets
    hops: Hops
    avoid: Mapping[int, Sets] = field(repr=False)
    at: Mapping[str, int]

    @cached_property
    def twice(self) -> Sets:
        """The destinations to which a switch has more than one next hop."""
        return {name: several(ways) for name, ways in self.hops.items()}

    @cached_property
    def users(self) -> Mapping[str, tuple[str, ...]]:
        """The switches that have a switch as a next hop."""
        found: dict[str, list[str]] = {}
        for name, ways in self.hops.items():
            for far in ways:
                found.setdefault(far, []).append(name)
        return {name: tuple(users) for name, users in found.items()}

    @cached_property
    def _spares(self) -> dict[str, Sets]:
        return {}

    def spare(self, name: str) -> Sets:
        """Return per neighbour the destinations to which a switch hears a path that it does not use.

        It takes such a path when it has lost those that it uses, or no longer announces the destination itself.
        """
        if name not in self._spares:
            neighbors = self.speakers.hears[name]
            self._spares[name] = {far: some for far in neighbors if (some := self._unused(name, far))}
        return self._spares[name]

    @cached_property
    def spared(self) -> int:
        """The destinations to which anybody hears a path that it does not use."""
        return either({name: either(self.spare(name)) for name in self.hops})

    def _unused(self, name: str, neighbor: str) -> int:
        session = self.speakers.hears[name][neighbor]
        offered = self.known.get(neighbor, 0) & ~self.hops[name].get(neighbor, 0)
        if not offered or self.family not in session.families:
            return 0
        if session.lax:
            return offered
        if (number := self.speakers.asn[name]) in self.speakers.followed:
            return offered & self.avoid[number].get(neighbor, 0)
        only = self.hops[neighbor].get(name, 0) & ~self.twice[neighbor]
        return offered & ~only


def several(ways: Mapping[str, int]) -> int:
    """Return the destinations that stand in more than one of these sets."""
    once = twice = 0
    for some in ways.values():
        twice |= once & some
        once |= some
    return twice


def either(ways: Mapping[str, int]) -> int:
    """Return the destinations that stand in any of these sets."""
    found = 0
    for some in ways.values():
        found |= some
    return found


def bits(some: int) -> Iterator[int]:
    """Yield the numbers of the destinations in a set, ascending."""
    while some:
        low = some & -some
        yield low.bit_length() - 1
        some ^= low


def destinations(speakers: Speakers, family: int) -> Destinations:
    """Return the destinations of a family, in order of the switches that announce them."""
    found: dict[tuple[str, ...], str] = {}
    for prefix, names in speakers.announced.items():
        if (":" in prefix) == (family == 6):
            found.setdefault(names, prefix)
    return Destinations(tuple(found.values()), tuple(found))


def converged(speakers: Speakers, family: int, at: Mapping[str, int], cut: Cut = NOTHING) -> Routes:
    """Return the routes when everybody has heard everything; ``at`` are the destinations that each switch announces."""
    hearers: dict[str, list[tuple[str, bool]]] = {name: [] for name in speakers.asn}
    for name, neighbors in speakers.hears.items():
        for far, session in neighbors.items():
            if family in session.families and not cut.severs(name, far):
                hearers[far].append((name, session.lax))
    start = {name: some for name, some in at.items() if some and name != cut.node}
    avoid = {
        number: {name: some for name, some in start.items() if speakers.asn[name] != number}
        for number in speakers.followed
    }
    routes = Routes(speakers, family, dict(start), {name: {} for name in speakers.asn}, avoid, start)
    fresh = start
    while fresh:
        fresh = _further(routes, hearers, fresh)
    return routes


def _further(routes: Routes, hearers: Mapping[str, list[tuple[str, bool]]], fresh: Sets) -> Sets:
    """Let everybody hear the paths that were found last, and return the next ones, which are one longer."""
    asn, followed, known = routes.speakers.asn, routes.speakers.followed, routes.known
    gained: Sets = {}
    for name, some in fresh.items():
        for hearer, lax in hearers[name]:
            number = asn[hearer]
            offered = some & routes.avoid[number].get(name, 0) if number in followed and not lax else some
            if offered := offered & ~known.get(hearer, 0):
                ways = routes.hops[hearer]
                ways[name] = ways.get(name, 0) | offered
                gained[hearer] = gained.get(hearer, 0) | offered
    for name, some in gained.items():
        known[name] = known.get(name, 0) | some
    for number in followed:
        avoid = routes.avoid[number]
        for name, some in gained.items():
            if asn[name] != number:
                through = either({far: ways & avoid.get(far, 0) for far, ways in routes.hops[name].items()})
                avoid[name] = avoid.get(name, 0) | (through & some)
    return gained

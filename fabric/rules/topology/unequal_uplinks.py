"""A switch has equally many links to every switch above it.

What it does
    Counts, for each switch, its links to every switch of a role above it that switches of its own role reach, and
    reports those whose counts differ. Links that are switched off do not count; where they are all that is missing,
    this is a warning, and none at all where either end is in maintenance.

Why
    ECMP gives every next hop the same share. A spine behind one link gets as much traffic as a spine behind two, so
    the single link is full at half the load, pauses its senders, and the pause spreads through the whole lossless
    class.

Fails
    leaf03 has two links to spine01 and one to spine02; leaf03 has none at all while leaf01 has.

Passes
    Every leaf has eight links to every spine. Planes: every leaf of a plane has the same number to every spine of it.

Options
    None.

Known limits
    Weighted ECMP, which would balance unequal links, is not taken into account. The speed of links is not weighed.

Source
    Clos, A study of non-blocking switching networks, 1953 (every stage reaches every switch of the next); RFC 2992
    (ECMP spreads flows evenly over next hops, whatever their capacity). Catalogue code B04.

Since
    0.1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fabric.analysis.tiers import shut, upward
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Link, Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch and role above it to which its links are unequal."""
    resting = {name for name, node in network.nodes.items() if node.state == "maintenance"}
    off = frozenset(
        end
        for end in shut(network)
        if end in network.ends and resting.isdisjoint((end.node, network.ends[end][1].node))
    )
    planned = {(found.path, found.bound) for found in _unequal_in(network, upward(network))} if off else set()
    for found in _unequal_in(network, upward(network, off)):
        only_shut = off and (found.path, found.bound) not in planned
        yield replace(found, severity=Severity.WARNING) if only_shut else found


def _unequal_in(network: Network, links: Mapping[str, tuple[tuple[Link, str], ...]]) -> Iterator[Violation]:
    for (role, upper), names in _pairs(network).items():
        above = {name: Counter(far for _, far in links[name] if network.nodes[far].role == upper) for name in names}
        planes = _planes(above)
        for name in names:
            plane = planes[name]
            most = max(plane.values(), default=0)
            if not plane:
                yield _none(name, role, upper)
            elif any(above[name][far] != most for far in plane):
                yield _unequal(name, above[name], sorted(plane), most)


def _pairs(network: Network) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return per pair of roles that are cabled, lower and upper, the switches of the lower one."""
    nodes = network.nodes
    ends = dict.fromkeys((link.a.node, link.b.node) for link in network.links if nodes[link.a.node].kind == "switch")
    cabled = ((nodes[lower], nodes[upper]) for lower, upper in ends)
    pairs = dict.fromkeys((low.role, high.role) for low, high in cabled if low.tier < high.tier)
    return {
        pair: tuple(name for name, node in nodes.items() if node.kind == "switch" and node.role == pair[0])
        for pair in pairs
    }


def _planes(above: Mapping[str, Counter[str]]) -> Mapping[str, Mapping[str, int]]:
    """Return for each lower switch the upper ones that it shares with others, directly or in turns, with most links.

    All switches of one plane are given the same mapping.
    """
    lower: dict[str, list[str]] = {}
    for name, counts in above.items():
        for far in counts:
            lower.setdefault(far, []).append(name)
    planes: dict[str, dict[str, int]] = {}
    for start in above:
        plane: dict[str, int] = {}
        near = [start] if start not in planes else []
        while near:
            name = near.pop()
            if name in planes:
                continue
            planes[name] = plane
            near += (other for far in above[name] if far not in plane for other in lower[far])
            plane |= {far: max(count, plane.get(far, 0)) for far, count in above[name].items()}
    return planes


def _none(name: str, role: str, upper: str) -> Violation:
    return Violation(
        path=f"{name}.links",
        message=f"{name} has no link to any {upper}, while other switches of the role {role} have",
        measured="0 links",
        bound="as many as the others",
        fix=f"cable {name} to the tier above, or switch its uplinks on",
    )


def _unequal(name: str, own: Counter[str], plane: Sequence[str], most: int) -> Violation:
    counts = ", ".join(f"{far} {own[far]}" for far in plane)
    return Violation(
        path=f"{name}.links",
        message=f"{name} has unequal links to the switches above it: {counts}",
        measured=counts,
        bound=f"{most} to each of {', '.join(plane)}",
        fix="add the missing links, or take the surplus ones away everywhere",
    )

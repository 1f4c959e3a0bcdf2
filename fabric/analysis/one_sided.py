"""Links that pause something else than their lossless classes, and which end is at fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabric.analysis.edges import edges
from fabric.analysis.ends import paused
from fabric.design.model import Design
from fabric.settings.facet import Absent
from fabric.settings.network import End, Link, Network


@dataclass(frozen=True, slots=True)
class Paused:
    """What both ends of a link pause, each ``None`` where it is not known, and the lossless classes that it carries."""

    link: Link
    lower: frozenset[int] | None
    upper: frozenset[int] | None
    lossless: frozenset[int]

    @property
    def differs(self) -> bool:
        """Whether both ends are known, and pause different priorities."""
        return self.lower is not None and self.upper is not None and self.lower != self.upper

    @property
    def ends(self) -> tuple[tuple[End, frozenset[int]], ...]:
        """The ends that are known with what they pause, those at fault first."""
        known = ((self.link.a, self.lower), (self.link.b, self.upper))
        ends = [(end, found) for end, found in known if found is not None]
        return tuple(sorted(ends, key=lambda each: each[1] == self.lossless))


def amiss(network: Network, design: Design) -> Iterator[Paused]:
    """Yield each link of which an end is known to pause other priorities than those of its lossless classes."""
    wanted: dict[str | None, frozenset[int]] = {}
    for link, role in edges(network, design):
        if role not in wanted:
            wanted[role] = frozenset(each.priority for each in design.classes if each.lossless and each.carried(role))
        lower, upper = _known(network, link.a), _known(network, link.b)
        if not {lower, upper} <= {wanted[role], None}:
            yield Paused(link, lower, upper, wanted[role])


def _known(network: Network, end: End) -> frozenset[int] | None:
    found = paused(network.nodes[end.node], end.port)
    return None if isinstance(found, Absent) else found

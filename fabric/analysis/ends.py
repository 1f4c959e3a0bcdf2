"""Ends of links: what is paused there, and how several of them are called."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fabric.settings.facet import ABSENT, Absent, Maybe
from fabric.settings.network import End, Node
from fabric.settings.pfc import Pfc

NOTHING = frozenset[int]()


def paused(node: Node, port: str) -> Maybe[frozenset[int]]:
    """Return the priorities that a port pauses: none where it has no row, absent where the node's PFC is not known."""
    pauses = node.settings.get(Pfc)
    if isinstance(pauses, Absent):
        return ABSENT
    row = pauses.rows.get(port)
    return NOTHING if row is None else row.priorities


def several(ends: Sequence[End]) -> str:
    """Name ends by the first of them: ``leaf01:swp1 and 3 more ports``."""
    more = len(ends) - 1
    return f"{ends[0]} and {more} more port{'' if more == 1 else 's'}" if more else str(ends[0])


def listed(priorities: Collection[int]) -> str:
    """Write a set of priorities: ``priorities 3, 4``, ``priority 3`` or ``no priority``."""
    if not priorities:
        return "no priority"
    return f"priorit{'y' if len(priorities) == 1 else 'ies'} {', '.join(map(str, sorted(priorities)))}"

"""Planes: switches of two roles that only meet in parts are in planes, however their cables came about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from fabric.design.layout import Switch, Wire

Pair = tuple[str, str, int | None]
"""Lower and upper role, and the pod where both are there once per pod."""


def planes(wires: Iterable[Wire]) -> Mapping[str, int]:
    """Return the plane of each switch that is in one, from 1, in order of the upper switches.

    Of two pairs of roles that put a switch into planes, the lower one counts.
    """
    found: dict[str, int] = {}
    for rows in sorted(_by_pair(wires).values(), key=lambda rows: rows[0].lower.tier):
        parts = _parts(rows)
        if len(parts) > 1:
            for number, part in enumerate(parts, 1):
                for name in part:
                    found.setdefault(name, number)
    return found


def _by_pair(wires: Iterable[Wire]) -> Mapping[Pair, list[Wire]]:
    found: dict[Pair, list[Wire]] = defaultdict(list)
    for wire in wires:
        found[wire.lower.role, wire.upper.role, wire.lower.pod if wire.upper.pod else None].append(wire)
    return found


def _parts(wires: Iterable[Wire]) -> list[set[str]]:
    """Return the sets of switches that cables join, in order of the first upper switch of each."""
    part_of: dict[str, set[str]] = {}
    uppers: dict[str, Switch] = {}
    for wire in wires:
        uppers[wire.upper.name] = wire.upper
        one = part_of.setdefault(wire.lower.name, {wire.lower.name})
        other = part_of.setdefault(wire.upper.name, {wire.upper.name})
        if one is not other:
            small, large = sorted((one, other), key=len)
            large |= small
            part_of |= dict.fromkeys(small, large)
    order = sorted(uppers.values(), key=lambda upper: (upper.pod or 0, upper.ordinal))
    return list({id(part_of[upper.name]): part_of[upper.name] for upper in order}.values())

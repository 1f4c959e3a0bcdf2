"""Compare the settings that a node has with those it should have, row by row and field by field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from fabric.changes.delta import Delta, RowDelta
from fabric.settings.facet import ABSENT, Absent, Facet, Settings
from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class _Gap:
    """A place inside a row where both sides do not agree: ``path`` starts with the field's name."""

    path: tuple[str, ...]
    unread: bool


def compare(node: str, now: Settings, wanted: Settings, scope: Scope, unreadable: Mapping[str, str]) -> Delta:
    """Return what differs on ``node`` within ``scope``, in natural order of facets and keys.

    Only facets that ``wanted`` has are managed. In those the comparison is complete: what the scope owns and
    nobody wants is removed, unless the facet is lasting. A wanted field that is `ABSENT` is no opinion. What is
    wanted and was not read is unverified, as ``facet key`` or ``facet key field``; fields that ``unreadable`` lists
    (as ``facet`` or ``facet.field``) are left out there, because something else stands in for them.
    """
    rows: list[RowDelta] = []
    unverified: list[str] = []
    for facet in wanted:
        found = now.get(type(facet))
        for item in _facet(found, facet, scope, frozenset(unreadable)):
            if isinstance(item, str):
                unverified.append(item)
            else:
                rows.append(item)
    return Delta(node, tuple(rows), tuple(unverified))


def _facet(
    found: Facet[Any] | Absent, facet: Facet[Any], scope: Scope, unreadable: frozenset[str]
) -> Iterator[RowDelta | str]:
    """Yield the differing rows of one facet, and the texts of what is unverified in it."""
    wanted = facet.within(scope).rows
    if isinstance(found, Absent):
        if facet.name not in unreadable:
            yield from (f"{facet.name} {key}" for key in sorted(wanted, key=natural))
        return
    now = found.within(scope).rows
    keys = wanted.keys() if facet.lasting else now.keys() | wanted.keys()
    for key in sorted(keys, key=natural):
        if key not in wanted or key not in now:
            yield RowDelta(facet.name, key, now.get(key), wanted.get(key))
            continue
        gaps = tuple(_gaps((), now[key], wanted[key]))
        differing = dict.fromkeys(gap.path[0] for gap in gaps if not gap.unread)
        if differing:
            yield RowDelta(facet.name, key, now[key], wanted[key], tuple(differing))
        for gap in gaps:
            if gap.unread and not _announced(facet.name, gap.path, unreadable):
                yield f"{facet.name} {key} {'.'.join(gap.path)}"


def _gaps(path: tuple[str, ...], now: object, wanted: object) -> Iterator[_Gap]:
    """Yield the places where a wanted value is not the one that is there, going into rows made of rows."""
    if wanted is ABSENT:
        return
    if now is ABSENT:
        yield _Gap(path, unread=True)
    elif type(now) is type(wanted) and is_dataclass(now) and not isinstance(now, type):
        for field in fields(now):
            yield from _gaps((*path, field.name), getattr(now, field.name), getattr(wanted, field.name))
    elif isinstance(now, tuple) and isinstance(wanted, tuple) and len(now) == len(wanted):
        for index, (left, right) in enumerate(zip(now, wanted, strict=True)):
            yield from _gaps((*path, str(index)), left, right)
    elif now != wanted:
        yield _Gap(path or ("row",), unread=False)


def _announced(facet: str, path: tuple[str, ...], unreadable: frozenset[str]) -> bool:
    """Tell whether the platform says that this field can never be read, by its own name or its row's field."""
    return not unreadable.isdisjoint((facet, f"{facet}.{path[0]}", f"{facet}.{path[-1]}"))


def natural(key: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key in which ``swp2`` comes before ``swp10``."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", key) if part)

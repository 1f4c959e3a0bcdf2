"""Findings with one cause become one: what is wrong once in the file is said once, whatever it makes wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from fabric.results import Finding
from fabric.settings.known import FACETS

_NAMED: Final = 4
# A node, and the port or other row that a path ends in; names of nodes may have dots in them.
_ROW: Final = re.compile(rf"(.+)\.(?:{'|'.join(sorted(FACETS))})(?:\.(.+))?")


def grouped(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in order, those of one rule with equal place, bound and fix as the first of them.

    Bounds and fixes are equal that differ only in the names of their own node and port. What is waived and what is not
    stay apart. The message says how many more there are, and ``also`` names the objects of all of them. A group is
    known again (``identity``) by the one of its objects that comes first in the alphabet: it is the same group when
    others join or leave, and when sections of the file change places.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for found in findings:
        texts = (_nameless(found.bound, found.path), _nameless(found.fix, found.path))
        cause = (found.rule, found.severity, found.place, *texts, found.waived, found.until)
        groups.setdefault(cause, []).append(found)
    return tuple(_one(found) for found in groups.values())


def _one(group: Sequence[Finding]) -> Finding:
    first, *rest = group
    if not rest:
        return first
    others = [each.path for each in rest]
    known_by = min(each.identity or each.path for each in group)
    also = tuple(path for path in dict.fromkeys(others) if path != first.path)
    named = f": {', '.join(also[:_NAMED])}{' ...' if len(also) > _NAMED else ''}" if also else ""
    return replace(first, message=f"{first.message}; likewise {len(others)} more{named}", also=also, identity=known_by)


def _nameless(text: str, path: str) -> str:
    """Return what a text about an object says of any object like it."""
    found = _ROW.fullmatch(path)
    if found is None:
        return text
    node, row = found.groups()
    for name in (f"{node}:{row}", path, node, *([row] if row else [])):
        text = text.replace(name, "\0")
    return text

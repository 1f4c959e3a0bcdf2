"""Findings with one cause become one: what is wrong once in the file is said once, whatever it makes wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from fabric.results import Finding

_NAMED: Final = 4


def grouped(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in order, those of one rule with equal place, bound and fix as the first of them.

    What is waived and what is not stay apart. The message says how many more there are, and ``also`` names the objects
    of all of them.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for found in findings:
        cause = (found.rule, found.severity, found.place, found.bound, found.fix, found.waived, found.until)
        groups.setdefault(cause, []).append(found)
    return tuple(_one(first, tuple(each.path for each in rest)) for first, *rest in groups.values())


def _one(first: Finding, others: tuple[str, ...]) -> Finding:
    if not others:
        return first
    also = tuple(path for path in dict.fromkeys(others) if path != first.path)
    named = f": {', '.join(also[:_NAMED])}{' ...' if len(also) > _NAMED else ''}" if also else ""
    return replace(first, message=f"{first.message}; likewise {len(others)} more{named}", also=also)

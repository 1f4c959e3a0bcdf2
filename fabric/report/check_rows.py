"""Results of checks in rows of texts, the same for every format that people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from fabric.ranges import ranges
from fabric.report.likeness import anonymous, nameless, shape, together
from fabric.results import CheckResult, Status

_Texts: TypeAlias = tuple[str, ...]

CHECKS = ("check", *(status.value for status in Status))
RESULTS = ("status", "check", "where", "message", "expected", "found")

# So many results are shown one by one before some are left out, and then so many of each check.
_SINGLE = 1000
_FIRST = 250
_RANK = {Status.ERROR: 0, Status.FAIL: 1, Status.SKIP: 2, Status.PASS: 3}


def by_check(results: Iterable[CheckResult]) -> list[tuple[str, ...]]:
    """Return per check how many results passed, failed, were skipped or ended in an error."""
    counted: dict[str, Counter[Status]] = {}
    for result in results:
        counted.setdefault(result.check, Counter())[result.status] += 1
    return [(check, *(str(count[status] or "") for status in Status)) for check, count in counted.items()]


def alike(results: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """Yield results that did not pass, those that say the same but for addresses and AS numbers as one.

    It is at a range of places. Skips are put together whatever nodes they name: nothing is wrong there to look at.
    """
    results = tuple(results)
    names = frozenset(_node(result) for result in results)
    groups: dict[tuple[object, ...], list[tuple[CheckResult, _Texts]]] = {}
    for result in results:
        if result.status is not Status.PASS:
            said = _said(result, names)
            groups.setdefault((result.check, result.status, *map(shape, said)), []).append((result, said))
    for found in groups.values():
        first = found[0][0]
        if len(found) > 1:
            message, expected, seen = map(together, zip(*(said for _, said in found), strict=True))
            at = ranges(result.at for result, _ in found)
            first = replace(first, at=at, message=message, expected=expected, found=seen)
        yield first


def _said(result: CheckResult, names: frozenset[str]) -> _Texts:
    """Return the three texts of a result without the name of the node that it is about, or, of skips, of any node."""
    texts = (result.message, result.expected, result.found)
    if result.status is Status.SKIP:
        return tuple(anonymous(text, names) for text in texts)
    return tuple(nameless(text, _node(result)) for text in texts)


def _node(result: CheckResult) -> str:
    return result.at.partition(":")[0]


def result_rows(results: Sequence[CheckResult]) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Return results, what failed first, and how many that passed are left out because they are too many.

    Of very many that failed, the first of each check are shown, and how many more there are.
    """
    failed = [each for each in results if each.status is not Status.PASS]
    passed = [each for each in results if each.status is Status.PASS]
    failed.sort(key=lambda each: (_RANK[each.status], each.announced))
    rows = map(_result, failed) if len(failed) <= _SINGLE else _first_of(failed)
    left = len(passed) if len(passed) > _SINGLE else 0
    return (*rows, *map(_result, () if left else passed)), left


def _first_of(results: Iterable[CheckResult]) -> Iterator[tuple[str, ...]]:
    groups: dict[tuple[Status, str], list[CheckResult]] = {}
    for each in results:
        groups.setdefault((each.status, each.check), []).append(each)
    for (status, check), found in groups.items():
        yield from map(_result, found[:_FIRST])
        more = len(found) - _FIRST
        if more > 0:
            yield status.value, check, f"{more:,} more places", "", "", ""


def _result(each: CheckResult) -> tuple[str, ...]:
    return (each.status.value, each.check, each.at, each.message, each.expected, each.found)

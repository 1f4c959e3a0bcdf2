"""Results of checks in rows of texts, the same for every format that people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fabric.report.likeness import nameless, shape, together
from fabric.report.ranges import ranges
from fabric.results import CheckResult, Status

CHECKS = ("check", *(status.value for status in Status))


def by_check(results: Iterable[CheckResult]) -> list[tuple[str, ...]]:
    """Return per check how many results passed, failed, were skipped or ended in an error."""
    counted: dict[str, Counter[Status]] = {}
    for result in results:
        counted.setdefault(result.check, Counter())[result.status] += 1
    return [(check, *(str(count[status] or "") for status in Status)) for check, count in counted.items()]


def alike(results: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """Yield results that say the same but for addresses and AS numbers as one, at a range of places."""
    groups: dict[tuple[object, ...], list[CheckResult]] = {}
    for result in results:
        said = (shape(text) for text in _said(result))
        groups.setdefault((result.check, result.status, *said), []).append(result)
    for first, *rest in groups.values():
        if not rest:
            yield first
            continue
        message, expected, found = map(together, zip(*map(_said, (first, *rest)), strict=True))
        at = ranges(result.at for result in (first, *rest))
        yield replace(first, at=at, message=message, expected=expected, found=found)


def _said(result: CheckResult) -> tuple[str, ...]:
    """Return the three texts of a result without the name of the node that it is about."""
    node = result.at.partition(":")[0]
    return tuple(nameless(text, node) for text in (result.message, result.expected, result.found))

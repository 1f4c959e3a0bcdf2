"""Which rules are to judge: all but those on request, or those that are named; never those that are to be left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from fabric.errors import UsageError
from fabric.rules.contract import Rule

_NEAR = 3


def chosen(every: Sequence[Rule], select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return the rules that ``select`` names by ids or patterns (``ecn.*``), all usual ones where it names none.

    What ``ignore`` names is left out, whatever ``select`` says. UsageError where one of them names no rule, and where
    nothing is left: a file that no rule has judged is not a sound one.
    """
    wanted = tuple(select)
    named = {rule.id for pattern in wanted for rule in matching(every, pattern)}
    left_out = {rule.id for pattern in ignore for rule in matching(every, pattern)}
    found = tuple(
        rule for rule in every if (rule.id in named if wanted else not rule.on_request) and rule.id not in left_out
    )
    if not found:
        raise UsageError("no rule is left to judge by", hint="ignore less, or select a rule that is not ignored")
    return found


def matching(every: Sequence[Rule], pattern: str, *, exact: bool = False) -> tuple[Rule, ...]:
    """Return the rules that an id or a pattern names; UsageError with the nearest names where there is none."""
    found = tuple(rule for rule in every if rule.id == pattern or (not exact and fnmatchcase(rule.id, pattern)))
    if not found:
        near = ", ".join(_near(every, pattern))
        groups = ", ".join(dict.fromkeys(f"{rule.id.partition('.')[0]}.*" for rule in every))
        hint = f"did you mean {near}?" if near else f"groups: {groups}; `fabric explain` lists all rules"
        raise UsageError(f"there is no rule {pattern!r}", hint=hint)
    return found


def _near(every: Sequence[Rule], pattern: str) -> Iterator[str]:
    """Yield what may have been meant: ids like it, a group as a pattern, the rules of a code of the catalogue."""
    groups = dict.fromkeys(rule.id.partition(".")[0] for rule in every)
    if pattern in groups:
        yield f"{pattern}.*"
        return
    names = [*(rule.id for rule in every), *(f"{group}.*" for group in groups)]
    yield from get_close_matches(pattern, names, n=_NEAR)
    yield from (rule.id for rule in every if pattern in rule.codes)

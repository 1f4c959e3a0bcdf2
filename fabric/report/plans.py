"""A plan for people: what changes on which nodes, nodes with like changes together, then the waves and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from fabric.changes.change import Change
from fabric.changes.plan import Plan
from fabric.changes.steps import Impact
from fabric.changes.wording import grouped
from fabric.ranges import count, ranges
from fabric.report.likeness import nameless, settled, shape, together
from fabric.report.plan_rows import differences, harm, unverified_kind
from fabric.report.tables import STYLES, Part, table

_MANY = 8
_NAMED = 3


@dataclass(frozen=True)
class _Said:
    """What a change says in words: rows of (facet, keys, words), and a line for each step that harms."""

    impact: Impact
    rows: tuple[tuple[str, str, str], ...]
    harm: tuple[tuple[str, str], ...]

    @property
    def shape(self) -> object:
        """What all nodes have in common that are shown together."""
        return self.impact, tuple(tuple(map(shape, row)) for row in self.rows), self.harm


def plan_lines(plan: Plan, roles: Mapping[str, str]) -> Iterator[Part]:
    """Yield changes, waves, what could not be read, what is not managed, and the sum; ``roles`` are those of nodes."""
    groups: dict[object, dict[str, _Said]] = {}
    for name, change in plan.changes.items():
        said = _said(change)
        groups.setdefault((roles.get(name), said.shape), {})[name] = said
    for alike in groups.values():
        yield from _changes(plan, alike)
    yield from _waves(plan)
    yield from _unreached(plan)
    yield from _not_judged(plan)
    yield Text(_sum_up(plan))


def _said(change: Change) -> _Said:
    return _Said(change.impact, tuple(_settled(grouped(change.delta.rows))), harm(change))


def _settled(rows: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return rows in an order that does not depend on the addresses in them."""
    found = ((facet, keys, settled(words)) for facet, keys, words in rows)
    return sorted(found, key=lambda row: (row[0], shape(row[1]), shape(row[2])))


def _changes(plan: Plan, alike: Mapping[str, _Said]) -> Iterator[Part]:
    """Yield the changes of nodes that are alike: each row once, with the span of addresses and AS numbers."""
    first, *rest = alike
    said = alike[first]
    number = differences(plan.changes[first]) + (" each" if rest else "")
    impact = (said.impact.word, STYLES[said.impact.word])
    yield Text.assemble((ranges(alike), "bold"), f"  {number}, impact ", impact)
    yield table(("  facet", "key", "change"), _rows([each.rows for each in alike.values()]))
    for word, why in said.harm:
        yield Text(f"  {word}: {why}", style=STYLES[word])
    if affected := dict.fromkeys(host for name in alike for host in plan.affected.get(name, ())):
        yield Text(f"  affected: {ranges(affected)}")
    yield Text("")


def _rows(alike: Sequence[tuple[tuple[str, str, str], ...]]) -> Iterator[tuple[str, ...]]:
    for rows in zip(*alike, strict=True):
        facets, keys, words = zip(*rows, strict=True)
        yield f"  {facets[0]}", _short(together(keys)), together(words)


def _short(keys: str) -> str:
    """Write many keys as runs; where each holds addresses, name the first of them and count the others."""
    found = keys.split(", ")
    if len(found) <= _MANY:
        return keys
    if shape(keys) == keys:
        return ranges(found)
    return f"{', '.join(found[:_NAMED])} and {len(found) - _NAMED} more"


def _waves(plan: Plan) -> Iterator[Part]:
    for number, wave in enumerate(plan.waves, 1):
        yield Text(f"wave {number}: {ranges(wave)}")
        rules: dict[str, list[str]] = {}
        for finding in plan.interim.get(number, ()):
            rules.setdefault(finding.rule, []).append(finding.path)
        for rule, paths in rules.items():
            more = f" and {count(len(paths) - 1, 'more place')}" if len(paths) > 1 else ""
            yield Text(f"  until the next wave {rule} is not met: {paths[0]}{more}", style="yellow")


def _unreached(plan: Plan) -> Iterator[Part]:
    groups: dict[str, dict[str, str]] = {}
    for name, problem in plan.unreached.items():
        groups.setdefault(shape(nameless(problem.message, name)), {})[name] = problem.message
    for names in groups.values():
        yield Text(f"not reached: {ranges(names)}: {_one_message(names)}", style="bold red")


def _one_message(messages: Mapping[str, str]) -> str:
    """Return the message of several nodes, in which each may name itself."""
    (first, *rest) = messages
    if not rest:
        return messages[first]
    return together(nameless(message, name) for name, message in messages.items())


def _not_judged(plan: Plan) -> Iterator[Part]:
    for system, facets in plan.unmanaged.items():
        if facets:
            yield Text(f"not managed on {system}: {', '.join(facets)}", style="dim")
    unverified = Counter(unverified_kind(what) for rows in plan.unverified.values() for what in rows)
    for what, number in unverified.items():
        yield Text(f"unverified: {what} ({count(number, 'value')})", style="dim")


def _sum_up(plan: Plan) -> str:
    if not plan.changes and not plan.unreached:
        return f"{plan.fabric}: no changes; {count(len(plan.equal), 'node')} {_are(plan.equal)} set as designed"
    todo = f"{count(len(plan.changes), 'node')} to change in {count(len(plan.waves), 'wave')}"
    changes = f"{todo}, worst impact {plan.impact.word}"
    return f"{plan.fabric}: {changes}; {len(plan.equal)} equal; {len(plan.unreached)} not reached"


def _are(nodes: Iterable[str]) -> str:
    return "is" if len(tuple(nodes)) == 1 else "are"

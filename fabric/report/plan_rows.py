"""A plan in rows of texts, the same for every format that people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fabric.changes.change import Change
from fabric.changes.plan import Plan
from fabric.changes.planfile import listing
from fabric.changes.steps import Impact
from fabric.changes.wording import grouped
from fabric.ranges import count, ranges
from fabric.report.finding_rows import some
from fabric.report.likeness import shape, together
from fabric.results import Finding

CHANGES = ("node", "wave", "impact", "differences", "impact of the undo", "why", "affected")
DIFFERENCES = ("nodes", "facet", "key", "change")
INTERIM = ("after wave", "rule", "object", "message")
NOT_READ = ("node", "state", "message")

# More differences than this are shown with alike nodes together.
_SINGLE = 1000


def change_rows(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield one row for each node that changes, in the order of waves."""
    waves = {name: number for number, wave in enumerate(plan.waves, 1) for name in wave}
    for name in sorted(plan.changes, key=lambda each: waves.get(each, 0)):
        change = plan.changes[name]
        yield (
            *(name, str(waves.get(name, "")), change.impact.word, str(len(change.delta.rows))),
            *(change.undo_impact.word, _harm(change), ranges(plan.affected.get(name, ()))),
        )


def differences(change: Change) -> str:
    """Say how many settings of a node differ: ``1 difference``."""
    return count(len(change.delta.rows), "difference")


def harm(change: Change) -> tuple[tuple[str, str], ...]:
    """Return each step that does harm: its impact, and why, with what is run."""
    harmful = (step for step in change.steps.do if step.impact > Impact.HITLESS)
    return tuple((step.impact.word, f"{step.why} ({listing(step)})") for step in harmful)


def _harm(change: Change) -> str:
    return "\n".join(dict.fromkeys(f"{word}: {why}" for word, why in harm(change)))


def difference_rows(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """Return what differs, node by node; when that is too much, with the nodes together whose rows are alike."""
    rows = [(name, *row) for name, change in plan.changes.items() for row in grouped(change.delta.rows)]
    if len(rows) <= _SINGLE:
        return tuple(rows)
    groups: dict[tuple[str, str, str], list[tuple[str, str, str, str]]] = {}
    for row in rows:
        groups.setdefault((row[1], shape(row[2]), shape(row[3])), []).append(row)
    return tuple(
        (ranges(row[0] for row in same), facet, together(row[2] for row in same), together(row[3] for row in same))
        for (facet, _, _), same in groups.items()
    )


def not_read_rows(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield what was not reached, and what is designed and not managed or could not be verified."""
    for name, problem in plan.unreached.items():
        yield name, "not reached", problem.message
    for system, facets in plan.unmanaged.items():
        if facets:
            yield f"all {system}", "not managed", ", ".join(facets)
    named = ((name, what) for name, values in plan.unverified.items() for what in values)
    yield from unverified_rows(f"{name} {what}" for name, what in named)


def unverified_rows(unverified: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield ``node facet key field`` by node and kind: which nodes, and how many values of which facet and field."""
    found: dict[str, Counter[str]] = {}
    for each in unverified:
        name, _, what = each.partition(" ")
        found.setdefault(unverified_kind(what), Counter())[name] += 1
    for kind, nodes in found.items():
        yield ranges(nodes), "could not be read", f"{kind} ({nodes.total():,})"


def unverified_kind(what: str) -> str:
    """Return facet and field of ``facet key field``, which is what all nodes have in common that could not say it."""
    facet, _, rest = what.partition(" ")
    return f"{facet} {rest.rpartition(' ')[2]}"


def interim_rows(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield what rules find between waves, one row for each rule."""
    for wave, findings in plan.interim.items():
        rules: dict[str, list[Finding]] = {}
        for finding in findings:
            rules.setdefault(finding.rule, []).append(finding)
        for rule, found in rules.items():
            paths = dict.fromkeys(path for each in found for path in (each.path, *each.also))
            yield str(wave), rule, some(tuple(paths)), found[0].message

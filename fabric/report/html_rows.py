"""Findings, results and changes in rows of texts for pages: one row for each node while a page can hold that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fabric.changes.change import Change
from fabric.changes.plan import Plan
from fabric.changes.planfile import listing
from fabric.changes.steps import Impact
from fabric.changes.wording import grouped, row_words
from fabric.design.model import Design
from fabric.report.design_rows import cable_words, why
from fabric.report.likeness import shape, together
from fabric.report.ranges import ranges
from fabric.results import CheckResult, Finding, Severity, Status
from fabric.settings.network import Node

FINDINGS = ("severity", "rule", "where", "object", "message", "measured", "bound", "fix", "accepted")
RESULTS = ("status", "check", "where", "message", "expected", "found")
DIFFERENCES = ("nodes", "facet", "key", "change")
CHANGES = ("node", "wave", "impact", "differences", "impact of the undo", "why", "affected")
NOT_READ = ("node", "state", "message")
INTERIM = ("after wave", "rule", "object", "message")
CABLES = ("from", "to", "speed", "length", "media", "FEC")
SETTINGS = ("facet", "key", "value", "why")

# A table may have this many rows before rows are put together or left out.
SINGLE = 1000
_FIRST = 250
_NAMED = 8
_RANK = {Status.ERROR: 0, Status.FAIL: 1, Status.SKIP: 2, Status.PASS: 3}
_SEVERITIES = tuple(Severity)


def finding_rows(findings: Iterable[Finding]) -> tuple[tuple[str, ...], ...]:
    """Return findings, what stops first and what was accepted last."""
    ordered = sorted(findings, key=lambda each: (bool(each.waived), _SEVERITIES.index(each.severity)))
    return tuple(_finding(each) for each in ordered)


def _finding(each: Finding) -> tuple[str, ...]:
    place = str(each.place) if each.place else ""
    objects = _some((each.path, *each.also))
    accepted = f"{each.waived} (until {each.until})" if each.waived and each.until else each.waived
    return (
        *(each.severity.value, each.rule, place, objects, each.message),
        *(each.measured, each.bound, each.fix, accepted),
    )


def result_rows(results: Sequence[CheckResult]) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Return results, what failed first, and how many that passed are left out because they are too many.

    Of very many that failed, the first of each check are shown, and how many more there are.
    """
    failed = [each for each in results if each.status is not Status.PASS]
    passed = [each for each in results if each.status is Status.PASS]
    failed.sort(key=lambda each: (_RANK[each.status], each.announced))
    rows = map(_result, failed) if len(failed) <= SINGLE else _first_of(failed)
    left = len(passed) if len(passed) > SINGLE else 0
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


def change_rows(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield one row for each node that changes, in the order of waves."""
    waves = {name: number for number, wave in enumerate(plan.waves, 1) for name in wave}
    for name in sorted(plan.changes, key=lambda each: waves.get(each, 0)):
        change = plan.changes[name]
        yield (
            *(name, str(waves.get(name, "")), change.impact.word, str(len(change.delta.rows))),
            *(change.undo_impact.word, _harm(change), ranges(plan.affected.get(name, ()))),
        )


def _harm(change: Change) -> str:
    harmful = (step for step in change.steps.do if step.impact > Impact.HITLESS)
    return "\n".join(dict.fromkeys(f"{step.impact.word}: {step.why} ({listing(step)})" for step in harmful))


def difference_rows(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """Return what differs, node by node; when that is too much, with the nodes together whose rows are alike."""
    rows = [(name, *row) for name, change in plan.changes.items() for row in grouped(change.delta.rows)]
    if len(rows) <= SINGLE:
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
    found: dict[tuple[str, str], Counter[str]] = {}
    for each in unverified:
        name, _, what = each.partition(" ")
        facet, _, rest = what.partition(" ")
        found.setdefault((facet, rest.rpartition(" ")[2]), Counter())[name] += 1
    for (facet, field), nodes in found.items():
        yield ranges(nodes), "could not be read", f"{facet} {field} ({nodes.total():,})"


def interim_rows(plan: Plan) -> Iterator[tuple[str, ...]]:
    """Yield what rules find between waves, one row for each rule."""
    for wave, findings in plan.interim.items():
        rules: dict[str, list[Finding]] = {}
        for finding in findings:
            rules.setdefault(finding.rule, []).append(finding)
        for rule, found in rules.items():
            paths = dict.fromkeys(path for each in found for path in (each.path, *each.also))
            yield str(wave), rule, _some(tuple(paths)), found[0].message


def cable_rows(design: Design) -> Iterator[tuple[str, ...]]:
    """Yield every cable."""
    return ((str(link.a), str(link.b), *cable_words(link)) for link in design.network.links)


def setting_rows(design: Design, node: Node, *, reasons: bool) -> Iterator[tuple[str, ...]]:
    """Yield the settings of a node, and where each comes from."""
    for facet in node.settings:
        for key, row in facet.rows.items():
            reason = why(design, f"{node.name}.{facet.name}.{key}") if reasons else ""
            yield facet.name, key, row_words(row), reason


def _some(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{', '.join(paths[:_NAMED])}{more}"

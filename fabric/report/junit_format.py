"""JUnit XML: findings, plans and verifications as CI servers show them.

A suite is a group of rules or one check; a case is a rule, or a check at one place, or a node of a plan. What stops a
command (an error finding, a failed check) is a failure; what could not be looked at is an error; warnings, notes and
what passes are passed cases with their text as output. Changes that wait are failures: who wants this format of a
plan wants to hear of drift. Exit codes are those of every other format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fabric import __version__
from fabric.changes.plan import Plan
from fabric.changes.run import NodeState, Run
from fabric.changes.wording import grouped
from fabric.design.model import Design
from fabric.errors import Problem
from fabric.report.finding_rows import measures, waiver, where
from fabric.report.plan_rows import differences
from fabric.report.refusing import VerdictsOnly
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.rules.contract import Rule

# What XML 1.0 cannot hold, not even written as a number.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}
_OUTPUT = "system-out"


@dataclass(frozen=True, slots=True)
class _Case:
    """One case: ``kind`` is the element that says how it ended, empty for one that passed and says nothing."""

    suite: str
    name: str
    kind: str = ""
    message: str = ""
    text: str = ""


class JunitReport(VerdictsOnly):
    """JUnit XML; colour is of no use to it."""

    name: ClassVar[str] = "junit"
    commands: ClassVar[str] = "validate, plan, verify, apply, rollback and `runs RUN`"

    def __init__(self, *, color: bool, width: int = 0) -> None:
        del color, width

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report every rule that judged: failed where it found an error."""
        del least
        return _document(design.fabric, _rule_cases(findings, ran))

    def plan(self, design: Design, plan: Plan, file: str, only: frozenset[str]) -> str:
        """Report every node of a plan: failed where it is not set as designed, in error where it was not reached."""
        del file, only
        return _document(design.fabric, _plan_cases(plan))

    def verification(self, design: Design, verification: Verification) -> str:
        """Report every check at every place, and the rules that are not met by what was read."""
        cases = [_check_case(result) for result in verification.results]
        return _document(design.fabric, [*cases, *(_finding_case(finding) for finding in verification.findings)])

    def run(self, run: Run) -> str:
        """Report every node of a run: failed where it was refused, lost or failed, skipped where it was not changed."""
        cases = (_Case(f"{run.kind}.wave-{n.wave}", n.node, _STATES.get(n.state, ""), n.message) for n in run.nodes)
        return _document(run.fabric, cases)

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file: one failed case each, at its place."""
        cases = (_Case("file", each.where or file, "failure", each.message, each.hint) for each in problems)
        return _document(file, cases)


REPORT = JunitReport

_STATES = {
    NodeState.PENDING: "skipped",
    NodeState.DEFERRED: "skipped",
    NodeState.UNDONE: "failure",
    NodeState.REFUSED: "failure",
    NodeState.FAILED: "failure",
    NodeState.WRITING: "error",
    NodeState.WRITTEN: "error",
    NodeState.LOST: "error",
}
_STATUSES = {Status.PASS: "", Status.FAIL: "failure", Status.SKIP: "skipped", Status.ERROR: "error"}


def _rule_cases(findings: Iterable[Finding], ran: Iterable[Rule]) -> Iterator[_Case]:
    """Yield a passed case per rule that found nothing, and one per finding."""
    by_rule: dict[str, list[Finding]] = {rule.id: [] for rule in ran}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    for rule, found in by_rule.items():
        yield from (map(_finding_case, found) if found else (_Case(_group(rule), rule),))


def _finding_case(finding: Finding) -> _Case:
    known = (("fix", finding.fix), ("where", where(finding)), ("fingerprint", finding.fingerprint))
    pairs = (*measures(finding), *known)
    text = "\n".join((finding.message, *(f"{word}: {said}" for word, said in pairs if said)))
    name = f"{finding.rule} {finding.path}".rstrip()
    if finding.waived:
        return _Case(_group(finding.rule), name, "skipped", f"waived: {waiver(finding)}", text)
    if finding.severity is Severity.ERROR:
        return _Case(_group(finding.rule), name, "failure", finding.message, text)
    return _Case(_group(finding.rule), name, _OUTPUT, "", f"{finding.severity.value}: {text}")


def _check_case(result: CheckResult) -> _Case:
    pairs = (("expected", result.expected), ("found", result.found))
    text = "\n".join((result.message, *(f"{word}: {said}" for word, said in pairs if said)))
    return _Case(f"checks.{result.check}", result.at, _STATUSES[result.status], result.message, text)


def _plan_cases(plan: Plan) -> Iterator[_Case]:
    for name in plan.equal:
        yield _Case("plan", name)
    for name, change in plan.changes.items():
        text = "\n".join(f"{facet} {keys}: {said}" for facet, keys, said in grouped(change.delta.rows))
        yield _Case("plan", name, "failure", f"{differences(change)}, impact {change.impact.word}", text)
    for name, problem in plan.unreached.items():
        yield _Case("plan", name, "error", problem.message, problem.hint)


def _group(rule: str) -> str:
    return f"rules.{rule.partition('.')[0]}"


def _document(fabric: str, cases: Iterable[_Case]) -> str:
    """Return the document: suites in order of their first case, each with counts and the version that wrote it."""
    suites: dict[str, list[_Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    every = [case for found in suites.values() for case in found]
    root = Element("testsuites", {"name": fabric, **_counts(every, ("failures", "errors"))})
    for name, found in suites.items():
        suite = SubElement(root, "testsuite", {"name": name, **_counts(found, tuple(_COUNTED))})
        SubElement(SubElement(suite, "properties"), "property", {"name": "fabric.version", "value": __version__})
        for case in found:
            _put(suite, case)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _counts(cases: Iterable[_Case], which: Iterable[str]) -> Mapping[str, str]:
    kinds = Counter(case.kind for case in cases)
    return {"tests": str(kinds.total()), **{name: str(kinds[_COUNTED[name]]) for name in which}}


def _put(suite: Element, case: _Case) -> None:
    made = SubElement(suite, "testcase", {"classname": case.suite, "name": _legal(case.name)})
    if not case.kind:
        return
    said = SubElement(made, case.kind, {} if case.kind == _OUTPUT else {"message": _legal(case.message)})
    said.text = _legal(case.text) or None


def _legal(text: str) -> str:
    """Return a text with U+FFFD in the place of what XML cannot hold."""
    return _FORBIDDEN.sub("\ufffd", text)

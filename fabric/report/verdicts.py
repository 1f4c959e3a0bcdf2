"""Verdicts for people: findings of rules and results of checks; equals stand together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from fabric.errors import Problem
from fabric.ranges import count, ranges
from fabric.report.check_rows import CHECKS, alike, by_check
from fabric.report.finding_rows import measures, waiver, where
from fabric.report.tables import STYLES, Part, table
from fabric.results import CheckResult, Finding, Severity, Status, Verification

# So many findings of one rule are shown one by one before some are left out, and then so many.
_MANY = 12
_FIRST = 5
_RUNS = 4


def finding_lines(findings: Iterable[Finding], fabric: str, least: Severity = Severity.NOTE) -> Iterator[Part]:
    """Yield findings, one paragraph each, and how many there are; of very many by one rule only the first ones."""
    findings = tuple(findings)
    by_rule: dict[tuple[str, Severity, bool], list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault((finding.rule, finding.severity, bool(finding.waived)), []).append(finding)
    for found in by_rule.values():
        shown = found if len(found) <= _MANY else found[:_FIRST]
        for finding in shown:
            yield from _finding(finding)
        if rest := found[len(shown) :]:
            yield _rest(rest)
    yield Text(f"{fabric}: {totals(findings, least)}")


def problem_lines(file: str, problems: Iterable[Problem]) -> Iterator[Part]:
    """Yield what is wrong with a file, one paragraph each as on stderr, and how much that is."""
    problems = tuple(problems)
    for problem in problems:
        place = f" {problem.where}:" if problem.where else ""
        yield Text.assemble((f"{Severity.ERROR.value}:", STYLES[Severity.ERROR.value]), f"{place} {problem.message}")
        if problem.hint:
            yield Text(f"  hint: {problem.hint}")
    yield Text(f"{file}: {count(len(problems), 'error')}, nothing was judged")


def totals(findings: Iterable[Finding], least: Severity = Severity.NOTE) -> str:
    """Count findings of each severity from ``least`` on, and what is waived by itself: ``1 error, 3 waived``."""
    findings = tuple(findings)
    counted = Counter(finding.severity for finding in findings if not finding.waived)
    waived = sum(bool(finding.waived) for finding in findings)
    said = [count(counted[severity], severity.value) for severity in Severity if severity.reaches(least)]
    return ", ".join([*said, f"{waived} waived"] if waived else said)


def verification_lines(found: Verification) -> Iterator[Part]:
    """Yield each check in one line, equal failures and skips in one line each, then findings and totals."""
    yield table(CHECKS, by_check(found.results))
    yield from map(_result, alike(found.results))
    for finding in found.findings:
        yield from _finding(finding)
    counted = Counter(result.status for result in found.results)
    total = ", ".join(f"{counted[status]} {status.value}" for status in Status)
    unread = f"; {count(len(found.unverified), 'designed value')} could not be read" if found.unverified else ""
    yield Text(f"{found.fabric}: {total}{unread}")


def _finding(finding: Finding) -> Iterator[Text]:
    """Yield what is wrong, with what it is measured by, and how it is mended; dim where the user accepts it."""
    severity, dim = finding.severity.value, "dim" if finding.waived else ""
    yield Text.assemble(
        (f"{severity}[{finding.rule}]", dim or STYLES[severity]), f" {where(finding)}: {finding.message}", style=dim
    )
    if shown := ", ".join(f"{word} {text}" for word, text in measures(finding)):
        yield Text(f"  {finding.path}: {shown}", style=dim)
    if finding.waived:
        yield Text(f"  waived: {waiver(finding)}", style=dim)
    elif finding.fix:
        yield Text(f"  fix: {finding.fix}")


def _rest(findings: Sequence[Finding]) -> Text:
    """Return in one line what more a rule has found, and where."""
    first, last = findings[0], findings[-1]
    said = f"{first.severity.value}[{first.rule}]"
    about = ranges((path for each in findings for path in (each.path, *each.also)), most=_RUNS)
    return Text.assemble(
        (said, "dim" if first.waived else STYLES[first.severity.value]),
        f" {where(first)} .. {where(last)}: {len(findings):,} more like these (--format json has each): {about}",
    )


def _result(result: CheckResult) -> Text:
    pair = f" (expected {result.expected}, found {result.found})" if result.expected or result.found else ""
    status = result.status.value
    return Text.assemble((status, STYLES.get(status, "")), f" {result.check} {result.at}: {result.message}{pair}")

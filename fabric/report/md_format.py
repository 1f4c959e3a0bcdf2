"""Markdown: findings as a comment on a merge request: the verdict, what is open in a table, the rest folded away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from fabric.design.model import Design
from fabric.errors import Problem
from fabric.ranges import count
from fabric.report.check_rows import alike
from fabric.report.finding_rows import measures, waiver, where
from fabric.report.refusing import VerdictsOnly
from fabric.report.verdicts import totals
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.rules.contract import Rule

# GitHub takes comments of 65,536 characters, GitLab of a million; what stands around the tables needs some of it.
MOST = 60_000
# What Markdown, or HTML within it, takes for a sign of its own; a vertical bar ends a cell.
_SIGNS = re.compile(r"([\\`*_\[\]<>|~#&])")


class MarkdownReport(VerdictsOnly):
    """Markdown as code hosts render it; colour is of no use to it."""

    name: ClassVar[str] = "md"
    commands: ClassVar[str] = "validate and verify"

    def __init__(self, *, color: bool, width: int = 0) -> None:
        del color, width

    def findings(
        self,
        design: Design,
        findings: Iterable[Finding],
        ran: Sequence[Rule] = (),
        least: Severity = Severity.NOTE,
    ) -> str:
        """Report what rules found: errors and warnings in a table, notes and what is waived folded."""
        found = tuple(findings)
        judged = f"Judged by {count(len(ran), 'rule')}." if ran else ""
        return _whole(f"fabric validate: {plain(design.fabric)}", totals(found, least), judged, *_finding_parts(found))

    def verification(self, design: Design, verification: Verification) -> str:
        """Report what checks and rules found on the devices."""
        results = tuple(alike(verification.results))
        bad = [result for result in results if result.status is not Status.SKIP]
        skipped = [result for result in results if result.status is Status.SKIP]
        passed = sum(result.status is Status.PASS for result in verification.results)
        said = f"{count(passed, 'check result')} passed; rules: {totals(verification.findings)}"
        return _whole(
            f"fabric verify: {plain(design.fabric)}",
            said,
            _section("Checks", _CHECKS, map(_check, bad), folded=False),
            *_finding_parts(verification.findings),
            _section("Could not look", _CHECKS, map(_check, skipped), folded=True),
        )

    def problems(self, file: str, problems: Iterable[Problem]) -> str:
        """Report what is wrong with a file of which there is nothing to judge."""
        rows = [(plain(each.where), plain(each.message), plain(each.hint)) for each in problems]
        said = f"{count(len(rows), 'error')}, nothing was judged"
        return _whole(f"fabric validate: {plain(file)}", said, _section("", _PROBLEMS, rows, folded=False))


REPORT = MarkdownReport

_FINDINGS = ("", "rule", "where", "what", "fix")
_WAIVED = ("", "rule", "where", "what", "accepted because")
_CHECKS = ("", "check", "where", "what")
_PROBLEMS = ("where", "what", "hint")


def plain(text: str) -> str:
    """Return a text of which Markdown takes nothing for a sign, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _finding_parts(findings: Sequence[Finding]) -> Iterator[str]:
    open_ = [finding for finding in findings if not finding.waived]
    bad = [finding for finding in open_ if finding.severity is not Severity.NOTE]
    notes = [finding for finding in open_ if finding.severity is Severity.NOTE]
    waived = [finding for finding in findings if finding.waived]
    yield _section("", _FINDINGS, (_row(each, each.fix) for each in bad), folded=False)
    yield _section("Notes", _FINDINGS, (_row(each, each.fix) for each in notes), folded=True)
    yield _section("Waived", _WAIVED, (_row(each, waiver(each)) for each in waived), folded=True)


def _row(finding: Finding, last: str) -> tuple[str, ...]:
    pairs = ", ".join(f"{word} {text}" for word, text in measures(finding))
    about = f"{finding.path}: {pairs}" if pairs else finding.path
    what = f"{plain(finding.message)}<br>{plain(about)}"
    return finding.severity.value, f"`{finding.rule}`", plain(where(finding)), what, plain(last)


def _check(result: CheckResult) -> tuple[str, ...]:
    pair = f" (expected {result.expected}, found {result.found})" if result.expected or result.found else ""
    return result.status.value, f"`{result.check}`", plain(result.at), plain(f"{result.message}{pair}")


def _section(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, folded: bool) -> str:
    """Return a table, with its title and number of rows, folded or not; empty where there is no row."""
    lines = [_line(row) for row in rows]
    if not lines:
        return ""
    table = "\n".join([_line(columns), _line(["---"] * len(columns)), *lines])
    if folded:
        return f"<details><summary>{title} ({len(lines):,})</summary>\n\n{table}\n\n</details>"
    return f"**{title}**\n\n{table}" if title else table


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _whole(title: str, said: str, *sections: str) -> str:
    """Return the comment, cut between rows where it is longer than what code hosts take."""
    parts = [f"### {title}", f"**{said}**", *(section for section in sections if section)]
    whole = "\n\n".join(parts) + "\n"
    if len(whole) <= MOST:
        return whole
    kept = whole[:MOST].rpartition("\n")[0]
    left = whole[len(kept) :].count("\n| ")
    closing = "\n\n</details>" if kept.count("<details>") > kept.count("</details>") else ""
    return f"{kept}{closing}\n\n{left:,} more rows do not fit here: `--format json` has them all.\n"

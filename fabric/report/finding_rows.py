"""Findings of rules in rows of texts, the same for every format that people read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabric.results import Finding, Severity

FINDINGS = ("severity", "rule", "where", "object", "message", "measured", "bound", "fix", "waived")

_NAMED = 8
_SEVERITIES = tuple(Severity)


def finding_rows(findings: Iterable[Finding]) -> tuple[tuple[str, ...], ...]:
    """Return findings in the columns of `FINDINGS`, what stops first and what is waived last."""
    ordered = sorted(findings, key=lambda each: (bool(each.waived), _SEVERITIES.index(each.severity)))
    return tuple(_row(each) for each in ordered)


def _row(each: Finding) -> tuple[str, ...]:
    place = str(each.place) if each.place else ""
    return (
        *(each.severity.value, each.rule, place, some((each.path, *each.also)), each.message),
        *(each.measured, each.bound, each.fix, waiver(each)),
    )


def where(finding: Finding) -> str:
    """Return where a finding is to be mended: its place in the file, or the path of its object."""
    return str(finding.place) if finding.place else finding.path


def waiver(finding: Finding) -> str:
    """Return why a finding is accepted, and until when: ``REASON (until 2027-06-30)``; empty where it is not."""
    return f"{finding.waived} (until {finding.until})" if finding.waived and finding.until else finding.waived


def measures(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Return what was measured and what bounds it, as pairs of a word and a text, as far as the rule says so."""
    pairs = (("measured", finding.measured), ("bound", finding.bound))
    return tuple((word, text) for word, text in pairs if text)


def some(paths: Sequence[str]) -> str:
    """Name the first of many paths, and count the others."""
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{', '.join(paths[:_NAMED])}{more}"

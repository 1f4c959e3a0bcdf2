"""Waivers: findings that the user accepts, with a reason and mostly until a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase

from fabric.intent.sections.tenants import WaiverIntent
from fabric.results import Finding, Severity
from fabric.rules.contract import Rule


def waived(
    findings: Iterable[Finding], waivers: Iterable[WaiverIntent], rules: Iterable[Rule], today: date | None
) -> tuple[Finding, ...]:
    """Return the findings, those that a waiver covers with its reason; without ``today`` no waiver has ended.

    Errors of rules of certain loss stay as they are, whatever the waivers say.
    """
    valid = tuple(waiver for waiver in waivers if not ended(waiver, today))
    certain = frozenset(rule.id for rule in rules if rule.certain_loss)
    return tuple(_judged(finding, valid, certain) for finding in findings)


def ended(waiver: WaiverIntent, today: date | None) -> bool:
    """Tell whether the last day of a waiver is over."""
    return waiver.until is not None and today is not None and waiver.until < today


def concerns(waiver: WaiverIntent, finding: Finding) -> bool:
    """Tell whether rule and place of a waiver are those of a finding; a finding without a place has no waiver."""
    paths = (path for path in (finding.path, *finding.also) if path)
    return names(waiver, finding.rule) and any(fnmatchcase(path, waiver.at) for path in paths)


def names(waiver: WaiverIntent, rule: str) -> bool:
    """Tell whether a waiver names a rule, by its id or by a pattern."""
    return fnmatchcase(rule, waiver.rule)


def beyond_waiving(finding: Finding, certain: frozenset[str]) -> bool:
    """Tell whether a finding means certain loss; ``certain`` are the ids of such rules."""
    return finding.severity is Severity.ERROR and finding.rule in certain


def _judged(finding: Finding, waivers: tuple[WaiverIntent, ...], certain: frozenset[str]) -> Finding:
    if beyond_waiving(finding, certain):
        return finding
    for waiver in waivers:
        if concerns(waiver, finding):
            return replace(finding, waived=waiver.reason, until=waiver.until)
    return finding

"""A waiver has a last day.

What it does
    Notes every waiver without ``until``.

Why
    What is accepted for ever is never looked at again, also when the reason for it has long gone.

Fails
    ``{rule: topology.oversubscription, at: "leaf*", reason: old building}``.

Passes
    The same with ``until: 2027-06-30``.

Options
    None.

Known limits
    How far away the day is, is not asked.

Source
    A choice of ours: accepted risks have an owner and a date (NIST SP 800-39, monitoring of accepted risk).

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per waiver without a last day."""
    for number, waiver in enumerate(document.intent.waivers):
        if waiver.until is None:
            yield Violation(
                path=f"waivers.{number}",
                message=f"the waiver of {waiver.rule} at {waiver.at} has no end",
                measured="no until",
                bound="a last day",
                fix="add until: with the day by which somebody looks again",
            )

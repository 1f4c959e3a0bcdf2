"""A waiver has not ended.

What it does
    Compares ``until`` of every waiver with the day on which is judged.

Why
    A waiver that has ended covers nothing any more: what it accepted counts again, and an error stops render and apply.
    The date was set so that somebody looks again, and this is the day.

Fails
    ``until: 2026-06-30`` from the first of July 2026 on.

Passes
    ``until: 2026-06-30`` up to and including that day; a waiver without ``until``.

Options
    None.

Known limits
    The day is that of this machine's clock and time zone.

Source
    A choice of ours: accepted risks have an owner and a date (NIST SP 800-39, monitoring of accepted risk).

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.waiving import ended

SEVERITY = Severity.WARNING


def check(document: Document, today: date) -> Iterator[Violation]:
    """Yield one violation per waiver that has ended."""
    for number, waiver in enumerate(document.intent.waivers):
        if ended(waiver, today):
            yield Violation(
                path=f"waivers.{number}.until",
                message=f"the waiver of {waiver.rule} at {waiver.at} has ended: what it accepted counts again",
                measured=f"until {waiver.until}",
                bound=f"{today} or later",
                fix="mend what it accepted and take the waiver out, or judge again and give it a later day",
            )

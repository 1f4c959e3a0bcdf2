"""A class has what its congestion control needs.

What it does
    Compares the ``congestion`` that is written for a class with its ``lossless`` and ``ecn``.

Why
    DCQCN and ECN slow senders down when switches mark packets: without ``ecn`` nothing is marked, and nobody slows
    down. ``pfc-only`` counts on pauses: on a lossy class nothing holds senders back, and packets are lost.

Fails
    ``congestion: dcqcn`` or ``ecn-only`` without ``ecn``; ``congestion: pfc-only`` without ``lossless: true``, or with
    ``ecn``.

Passes
    ``congestion: dcqcn`` with ``ecn``; ``congestion: pfc-only`` with ``lossless: true`` and without ``ecn``, or with
    ``profile: pfc-only``, which marks nothing; a class for which ``congestion`` is not written.

Options
    None.

Known limits
    Whether the thresholds suit the links is not asked.

Source
    DCQCN (Zhu et al., SIGCOMM 2015) section 3: marks at the switch, notifications from the receiver, rates at the
    sender. RFC 3168. Catalogue code F01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.classes import marks
from fabric.intent.document import Document
from fabric.intent.sections.classes import ClassIntent
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR

_BY_MARKS = ("dcqcn", "ecn-only")


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per class and thing that its written congestion control lacks, or contradicts."""
    for name, each in document.intent.classes.items():
        for measured, bound, fix in _lacking(each):
            yield Violation(
                path=f"classes.{name}.congestion",
                message=f"class {name} has congestion {each.congestion} and is {measured}",
                measured=measured,
                bound=bound,
                fix=f"{fix} class {name}, or choose another congestion",
            )


def _lacking(each: ClassIntent) -> Iterator[tuple[str, str, str]]:
    if each.congestion in _BY_MARKS and marks(each) is None:
        yield "without ecn", "ecn", "add ecn to"
    if each.congestion == "pfc-only" and not each.lossless:
        yield "not lossless", "lossless: true", "add lossless: true to"
    if each.congestion == "pfc-only" and marks(each) is not None:
        yield "marked by ecn", "no ecn", "take ecn away from"

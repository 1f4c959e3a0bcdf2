"""The shares of all classes make up the link.

What it does
    Adds up ``share`` of all classes, and asks that every class which is not strict has one.

Why
    The scheduler divides a full link by these numbers. Without a share a class gets nothing as long as others send:
    it starves. Shares that do not add up to 100 are read differently by each system, so that hops disagree.

Fails
    60% and 30% (90); 60% and 60% (120); a class without ``strict`` and without ``share``.

Passes
    60%, 20% and 20% with a strict class beside them; a single class with 100%; strict classes only.

Options
    None.

Known limits
    A strict class is served first and may leave less than the shares say; its ``limit`` is not subtracted. Tenants have
    no guarantees of their own: what they are promised are the shares of their classes, and this adds these up.

Source
    IEEE 802.1Qaz (ETS bandwidths add up to 100). Catalogue codes H01, K03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per class that would starve, and one when the sum is not 100."""
    classes = document.intent.classes
    for name, each in classes.items():
        if not each.strict and not each.share:
            yield Violation(
                path=f"classes.{name}.share",
                message=f"class {name} has no share of the link and is not strict: it would starve",
                measured="0%",
                bound="above 0%",
                fix=f"give {name} a share, such as share: 20%, or strict: true",
            )
    shares = {name: each.share for name, each in classes.items() if each.share}
    total = sum(shares.values())
    listed = ", ".join(f"{name} {share:g}%" for name, share in shares.items())
    if shares and abs(total - 100) > 1e-9:
        yield Violation(
            path="classes",
            message=f"the shares add up to {total:g}%: {listed}",
            measured=f"{total:g}%",
            bound="100%",
            fix=f"{'raise' if total < 100 else 'lower'} shares by {abs(100 - total):g}% in all",
        )

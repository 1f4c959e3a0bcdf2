"""A waiver names a rule that there is.

What it does
    Looks for the rule, or the pattern, of every waiver among the ids of all rules.

Why
    A waiver of a rule that does not exist covers nothing: what it should accept still stops render and apply, and
    nobody sees why.

Fails
    ``{rule: topology.oversubscribed, ...}``; ``{rule: "toplogy.*", ...}``.

Passes
    ``{rule: topology.oversubscription, ...}``; ``{rule: "topology.*", ...}``.

Options
    None.

Known limits
    The rules about waivers themselves are known, but cannot be waived.

Source
    The files under ``rules/``: the place is the registration.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Judged, Violation
from fabric.rules.waiving import names

SEVERITY = Severity.WARNING


def check(document: Document, judged: Judged) -> Iterator[Violation]:
    """Yield one violation per waiver whose rule is not there."""
    ids = [rule.id for rule in judged.rules]
    for number, waiver in enumerate(document.intent.waivers):
        if not any(names(waiver, rule) for rule in ids):
            near = get_close_matches(waiver.rule, ids, n=1)
            yield Violation(
                path=f"waivers.{number}.rule",
                message=f"there is no rule {waiver.rule}: the waiver covers nothing",
                measured="0 rules",
                bound="at least 1",
                fix=f"did you mean {near[0]}?" if near else "`fabric validate` shows the rule of every finding",
            )

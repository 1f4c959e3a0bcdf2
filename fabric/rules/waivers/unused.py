"""A waiver covers something.

What it does
    Looks for findings of the rule, at the place, that each waiver names.

Why
    A waiver that covers nothing is a leftover of something that was mended, or has its place mistyped, so that what it
    should accept still stops render and apply. A leftover would silently accept the same fault when it comes back.

Fails
    ``{rule: topology.oversubscription, at: leaf09.links, ...}`` where leaf09 is not oversubscribed.

Passes
    ``{rule: topology.oversubscription, at: "leaf*", ...}`` where one of the leaves is.

Options
    None.

Known limits
    What is found on devices (``fabric verify``) and not in the file is not counted. A waiver that names a rule which
    only runs on request is judged where that rule runs. A waiver of a rule that there is not is reported by
    waivers.unknown-rule alone, and one of certain loss by waivers.certain-loss; one that has ended counts as long as it
    names something.

Source
    A choice of ours, as compilers and linters do with their suppressions.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.intent.sections.tenants import WaiverIntent
from fabric.results import Severity
from fabric.rules.contract import Judged, Violation
from fabric.rules.waiving import concerns, names

SEVERITY = Severity.WARNING
_SHOWN = 3


def check(document: Document, design: Design, judged: Judged) -> Iterator[Violation]:
    """Yield one violation per waiver that names a rule, and nothing that this rule has found."""
    for number, waiver in enumerate(document.intent.waivers):
        named = [rule for rule in judged.rules if names(waiver, rule.id)]
        able = any(not rule.certain_loss for rule in named)
        asked = all(rule.id in judged.ran for rule in named if not rule.id.startswith("waivers."))
        if able and asked and not any(concerns(waiver, finding) for finding in judged.findings):
            yield Violation(
                path=f"waivers.{number}.at",
                message=f"{waiver.rule} finds nothing at {waiver.at} in {design.fabric}: the waiver covers nothing",
                measured="0 findings",
                bound="at least 1",
                fix=_fix(waiver, judged),
            )


def _fix(waiver: WaiverIntent, judged: Judged) -> str:
    paths = dict.fromkeys(f.path for f in judged.findings if f.path and names(waiver, f.rule))
    if not paths:
        return "take the waiver out"
    more = " ..." if len(paths) > _SHOWN else ""
    return f"take the waiver out, or name what is found: {', '.join(list(paths)[:_SHOWN])}{more}"

"""What certainly loses packets is not waived.

What it does
    Looks for waivers of rules whose errors mean that packets are lost, or that the plan cannot be built: duplicate
    addresses, two cables in one port, MTUs that differ. Such a waiver does not apply, and the finding stays an error.

Why
    A waiver accepts a risk. Here there is none: it is certain, and the only question is who finds out, and when.

Fails
    ``{rule: links.mtu, at: "leaf03.*", ...}``; ``{rule: "*", at: "leaf03.*", ...}`` where links.mtu has found an error
    there.

Passes
    ``{rule: topology.oversubscription, ...}``: jobs are slower, nothing is lost for certain.

Options
    None.

Known limits
    Warnings and notes of the same rules can be waived by a pattern.

Source
    The pages of these rules, with their own sources.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Judged, Violation
from fabric.rules.waiving import beyond_waiving, concerns

SEVERITY = Severity.WARNING


def check(document: Document, judged: Judged) -> Iterator[Violation]:
    """Yield one violation per waiver that names such a rule by its id, or covers an error of one."""
    certain = frozenset(rule.id for rule in judged.rules if rule.certain_loss)
    beyond = tuple(finding for finding in judged.findings if beyond_waiving(finding, certain))
    for number, waiver in enumerate(document.intent.waivers):
        covered = sorted({finding.rule for finding in beyond if concerns(waiver, finding)})
        rules = [waiver.rule] if waiver.rule in certain else covered
        if rules:
            yield Violation(
                path=f"waivers.{number}.rule",
                message=f"errors of {', '.join(rules)} cannot be waived: they mean certain loss",
                measured=f"waived at {waiver.at}",
                bound="not waived",
                fix="mend what the rule finds, and take the waiver out or narrow its rule",
            )

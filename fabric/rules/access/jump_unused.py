"""Every jump host is on the way to some node.

What it does
    Looks for entries of ``access.jump`` that neither ``access.switches`` nor ``access.hosts`` names.

Why
    Whoever wrote the entry believes that nodes are reached through it. They are tried directly instead, from a network
    that often has no way to them, and every one of them times out.

Fails
    ``access: {jump: {gate: {host: gate.example.net}}, switches: {user: admin}}``.

Passes
    ``switches: {user: admin, jump: gate}``.

Options
    None.

Known limits
    Whether the nodes can be reached from the jump host is found out on contact.

Source
    A choice of ours: a name that nothing refers to is a mistake or a leftover.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per entry that nothing names."""
    access = document.intent.access
    if access is None:
        return
    named = {rule.jump for rule in (access.switches, access.hosts) if rule is not None}
    for name in (each for each in access.jump if each not in named):
        yield Violation(
            path=f"access.jump.{name}",
            message=f"no node is reached through jump host {name}",
            measured="0 uses",
            bound="at least 1",
            fix=f"write jump: {name} under access.switches or access.hosts, or take the entry out",
        )

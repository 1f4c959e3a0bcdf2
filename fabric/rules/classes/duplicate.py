"""Priorities and DSCPs belong to one class each.

What it does
    Compares the priorities and the DSCPs of all classes with one another.

Why
    A packet has one DSCP and a switch sorts it into one class. With a DSCP in two classes the winner is whichever
    device wrote last, and it differs from hop to hop. Two classes of one priority share the pause of either: stopping
    the lossless one stops the other as well.

Fails
    ``rdma: {dscp: 26, priority: 3}`` with ``bulk: {dscp: [10, 26], priority: 3}``.

Passes
    Each class has its own priority and its own DSCPs; ``default`` takes every DSCP that no class names.

Options
    None.

Known limits
    Two classes that share only a queue are legal, where the hardware can. That cnp has the priority of a lossless class
    is for classes.cnp-lossless.

Source
    RFC 2474 section 4 (a codepoint selects one behaviour). Catalogue codes D01 and D03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.classes import CNP
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per class and priority, and per class and DSCP, that an earlier class has too."""
    classes = document.intent.classes
    priorities: dict[int, str] = {}
    dscps: dict[int, str] = {}
    for name, each in classes.items():
        other = priorities.setdefault(each.priority, name)
        notified = CNP in (name, other) and (each.lossless or classes[other].lossless)
        if other != name and not notified:
            yield _violation(f"classes.{name}.priority", f"priority {each.priority}", name, other)
        for dscp in dict.fromkeys(each.dscp):
            other = dscps.setdefault(dscp, name)
            if other != name:
                yield _violation(f"classes.{name}.dscp", f"DSCP {dscp}", name, other)


def _violation(path: str, what: str, name: str, other: str) -> Violation:
    return Violation(
        path=path,
        message=f"{what} of class {name} belongs to class {other} already",
        measured=f"{what} in 2 classes",
        bound="1 class",
        fix=f"give {name} or {other} another one",
    )

"""A limit is below the speed of some port, and above the share.

What it does
    Compares the ``limit`` of every class with the speeds of all cables, and with the share of the class at each speed.

Why
    A port cannot send faster than its speed: a limit that no port exceeds does nothing, and systems do not even keep
    it. A limit below the share takes away again what the share promises: the class never gets it, not even on an idle
    link.

Fails
    ``limit: 100G`` where all cables run at 10G; ``share: 20%`` with ``limit: 1G`` on a cable of 10G, whose share is 2G.

Passes
    ``limit: 5G`` with ``share: 20%`` on cables of 10G. A limit of 100G where hosts have 100G and uplinks 400G: on the
    ports of hosts the design sets none.

Options
    None.

Known limits
    Several classes in one queue are compared one by one.

Source
    Linux tc-htb(8): a class whose ceil is the rate of its parent is not limited. IEEE 802.1Qaz for shares.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per class whose limit does nothing, or takes its share away on some cable."""
    speeds = sorted({link.speed for link in design.network.links})
    for name, each in document.intent.classes.items():
        if each.limit is None or not speeds:
            continue
        if each.limit >= speeds[-1]:
            yield _idle(name, each.limit, speeds[-1])
        else:
            cut = [speed for speed in speeds if speed * (each.share or 0) > each.limit * 100]
            yield from (_cut(name, each.limit, each.share or 0, speed) for speed in cut[:1])


def _idle(name: str, limit: int, fastest: int) -> Violation:
    return Violation(
        path=f"classes.{name}.limit",
        message=f"the limit {format_speed(limit)} of class {name} limits nothing: no cable is faster",
        measured=format_speed(limit),
        bound=f"below {format_speed(fastest)}",
        fix=f"lower the limit, or take it away from class {name}",
    )


def _cut(name: str, limit: int, share: int, speed: int) -> Violation:
    promised = speed * share // 100
    return Violation(
        path=f"classes.{name}.limit",
        message=f"class {name} is promised {share}% of {format_speed(speed)} = {format_speed(promised)} "
        f"and limited to {format_speed(limit)}",
        measured=format_speed(limit),
        bound=f"at least {format_speed(promised)}",
        fix=f"raise the limit to {format_speed(promised)} or more, or lower the share of class {name}",
    )

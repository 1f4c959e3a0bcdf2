"""A lossless class has no traffic that never asked for it.

What it does
    Notes lossless classes that hold what nobody marks: the class ``default``, and one that has DSCP 0.

Why
    It is legal, and some fabrics carry nothing but RDMA. But DSCP 0 is what every packet has whose sender says nothing,
    and ``default`` holds all that no class names: SSH, storage, monitoring and a host of a stranger then fill the
    lossless buffer, cause pauses, and wait in those of others.

Fails
    ``default: {priority: 0, lossless: true}``; ``rdma: {dscp: 0-7, priority: 0, lossless: true}``.

Passes
    Lossless classes of other DSCPs than 0. Which priority they have does not matter: 0 is as good as 3.

Options
    None.

Known limits
    Whether PFC is really on there is for pfc.not-lossless.

Source
    RFC 2474 section 4.1 (DSCP 0 is what is not marked). Catalogue code E03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.classes import DEFAULT
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per lossless class of unmarked traffic."""
    for found in design.classes:
        whole = found.name == DEFAULT
        if found.lossless and (whole or 0 in found.dscps):
            what = "every DSCP that no class names" if whole else "DSCP 0, which all unmarked packets have"
            yield Violation(
                path=f"classes.{found.name}.{'lossless' if whole else 'dscp'}",
                message=f"class {found.name} is lossless and holds {what}",
                measured="unmarked packets in a lossless class",
                bound="only what is marked for it",
                fix="keep it where the fabric carries nothing else, or give RDMA a DSCP and a class of its own",
            )

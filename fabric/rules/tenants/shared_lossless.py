"""Tenants that share a lossless class are named.

What it does
    Reports each lossless class that hosts of several tenants may use.

Why
    A pause stops a priority, not a tenant: when a receiver of one tenant is slow, its leaf pauses the spines, and these
    the other leaves, and the traffic of all other tenants in that class waits with it.

Fails
    Tenants blue and green may both use class rdma, which is lossless.

Passes
    ``blue: {classes: [rdma-blue]}``, ``green: {classes: [rdma-green]}``; a class that is not lossless.

Options
    None.

Known limits
    Whether the tenants share ports or only switches is not told apart: pauses spread over both.

Source
    Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, sections 2 and 6 (pauses that spread to others).
    Catalogue code K02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per lossless class of several tenants."""
    for each in design.classes:
        sharing = [tenant.name for tenant in design.tenants if tenant.classes is None or each.name in tenant.classes]
        if each.lossless and len(sharing) > 1:
            yield Violation(
                path=f"classes.{each.name}",
                message=f"tenants {', '.join(sharing)} share the lossless class {each.name}: "
                "a pause that one of them causes stops the others",
                measured=f"{len(sharing)} tenants",
                bound="1 tenant",
                fix="give each tenant a class of its own (tenants.NAME.classes), or accept it",
            )

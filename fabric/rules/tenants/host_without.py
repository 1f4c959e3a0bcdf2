"""Every host has a tenant, or none has.

What it does
    Where there are ``tenants``, names the hosts that belong to none of them.

Why
    Ports of a tenant live in routes of their own. A host of no tenant stays in the common ones, where it reaches
    neither them nor the hosts it was meant to work with; mostly a pattern was written for the hosts of last year.

Fails
    ``tenants: {blue: {vni: 100, hosts: [gpu01, gpu02]}}`` in a fabric with gpu03.

Passes
    ``tenants: {blue: {vni: 100, hosts: ["gpu*"]}}``; a file without ``tenants``.

Options
    None.

Known limits
    Hosts that are meant to stay in the common routes (a login node) are named as well: waive them.

Source
    RFC 4364 section 3 (a site belongs to the routes of the table that its port is bound to). Catalogue code K01.

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
    """Yield one violation per host without a tenant while others have one."""
    if not design.tenants:
        return
    owned = frozenset(host for tenant in design.tenants for host in tenant.hosts)
    for name, node in design.network.nodes.items():
        if node.kind == "host" and name not in owned:
            yield Violation(
                path=name,
                message=f"{name} belongs to no tenant, while other hosts do",
                measured="no tenant",
                bound=f"one of {', '.join(tenant.name for tenant in design.tenants)}",
                fix="name it in the hosts of a tenant",
            )

"""Hosts cannot mark themselves into a lossless class that is not theirs.

What it does
    Looks at the ports of leaves to hosts, and at the lossless classes that these hosts should not have: those whose
    ``edge`` does not name their role, and those that their tenant may not use. Their DSCPs must not lead into them.

Why
    A DSCP is what the sender says. Where a leaf believes it, any program on any host can send in the lossless class,
    fill its buffers and pause the fabric for everybody.

Fails
    ``rdma: {edge: [gpu]}``, and leaf03 sends DSCP 26 of a storage host to priority 3. ``tenants: {blue: {classes:
    [bulk]}}`` where blue's hosts have ports that carry rdma.

Passes
    Ports to storage hosts send DSCP 26 to the priority of ``default``. Tenants whose classes have all lossless ones.

Options
    None.

Known limits
    That hosts use no more than they should within a class of theirs is not asked.

Source
    RFC 2475 section 2.3.1 (boundary nodes do not trust marks of others). Catalogue code D11.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.edges import edges
from fabric.analysis.ends import several
from fabric.design.classes import DEFAULT
from fabric.design.model import Design, Tenancy, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.maps import Maps
from fabric.settings.network import End, Network

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per lossless class and role, or tenant, that reaches it and should not."""
    lossless = tuple(found for found in design.classes if found.lossless and found.name != DEFAULT)
    if all(found.edge is None for found in lossless) and not design.tenants:
        return
    tenants = {host: tenant for tenant in design.tenants for host in tenant.hosts}
    found: dict[tuple[str, str], list[End]] = {}
    for link, role in edges(network, design):
        row = network.nodes[link.b.node].settings.rows(Maps).get(link.b.port)
        if role is None or row is None:
            continue
        for each in lossless:
            who = _stranger(each, role, tenants.get(link.a.node))
            if who and any(row.dscp_to_priority[dscp] == each.priority for dscp in each.dscps):
                found.setdefault((who, each.name), []).append(link.b)
    yield from _violations(found, {each.name: each for each in lossless})


def _stranger(each: TrafficClass, role: str, tenant: Tenancy | None) -> str:
    """Say who has no business in a class; nothing where a host of this role and tenant has."""
    if not each.carried(role):
        return f"role {role}"
    if tenant is not None and tenant.classes is not None and each.name not in tenant.classes:
        return f"tenant {tenant.name}"
    return ""


def _violations(found: Mapping[tuple[str, str], list[End]], classes: Mapping[str, TrafficClass]) -> Iterator[Violation]:
    for (who, name), ends in found.items():
        each = classes[name]
        yield Violation(
            path=f"{ends[0].node}.maps.{ends[0].port}",
            message=f"hosts of {who} reach the lossless class {name} by its DSCP, which is not theirs: {several(ends)}",
            measured=f"priority {each.priority}",
            bound="the priority of class default",
            fix=f"map the DSCPs of {name} to the priority of default on ports to hosts of {who}: classes.{name}.edge "
            "names the roles that carry it",
        )

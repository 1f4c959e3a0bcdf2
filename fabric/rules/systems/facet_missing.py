"""Systems do what the design asks of their nodes.

What it does
    Compares what each node needs (VLANs, bonds, tenants, a way to spread traffic, buffer pools) with what the platform
    of its system sets.

Why
    A node is given only what its platform can set; the rest is left alone. Without its VLANs, bonds or tenants, hosts
    reach nothing, or what they should not reach, although every address is in place: that is an error. Traffic that is
    spread by flow all the same, and pools that stay as they are, cost speed: that is a note.

Fails
    ``hosts: {prefix: 10.64.0.0/12, per: leaf, length: 26, vlan: 100, gateway: anycast}`` where the leaves run a system
    whose platform sets no VLANs.

Passes
    The same where it does; ``load_balance: ecmp`` everywhere.

Options
    None.

Known limits
    Systems without a platform are not judged: systems.no-platform says that nothing reaches them.

Source
    The facets that each platform under ``platforms/`` lists as its own.

Since
    0.1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fabric.platforms.lookup import has_system, system, systems
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.balance import Balancing
from fabric.settings.bonds import Bonds
from fabric.settings.facet import Facet
from fabric.settings.network import Kind, Network, Node
from fabric.settings.pools import Pools
from fabric.settings.tenants import Tenants
from fabric.settings.vlans import Vlans

SEVERITY = Severity.ERROR
_DEFAULT_MODE = "ecmp"
_NEEDED: dict[type[Facet[Any]], tuple[Severity, str, str]] = {
    Vlans: (Severity.ERROR, "VLANs", "address hosts per NIC (addressing.hosts: PREFIX)"),
    Bonds: (Severity.ERROR, "bonds", "take bond: lacp away from the host roles"),
    Tenants: (Severity.ERROR, "tenants", "take tenants away"),
    Balancing: (Severity.NOTE, "how traffic is spread", "nothing, if traffic that is spread by flow will do"),
    Pools: (Severity.NOTE, "buffer pools", "set the pools on the devices"),
}
"""What may be asked of a node: how bad it is to be without, what it is called, and what to do."""


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per role, system and facet that the system does not set."""
    lacking = Counter(
        (node.kind, node.role, node.system, facet) for node in network.nodes.values() for facet in _lacking(node)
    )
    for (kind, role, name, facet), count in lacking.items():
        severity, what, instead = _NEEDED[facet]
        yield Violation(
            path=f"topology.{'switches' if kind == 'switch' else 'hosts'}.{role}.system",
            message=f"{kind} system {name} does not set {what} ({facet.name}) here, and the role {role} has {count} "
            f"node{'s' if count > 1 else ''} that need{'' if count > 1 else 's'} it",
            measured=name,
            bound=f"systems that do: {', '.join(_able(kind, facet)) or 'none so far'}",
            fix=f"choose another system, or {instead}" if severity is Severity.ERROR else instead,
            severity=severity,
        )


def _lacking(node: Node) -> Iterator[type[Facet[Any]]]:
    """Yield the facets that a node needs and its system does not have."""
    asked = [facet for facet in _NEEDED if _asked(node, facet)]
    if asked and has_system(node.kind, node.system):
        managed = system(node.kind, node.system).facets
        yield from (facet for facet in asked if facet not in managed)


def _asked(node: Node, facet: type[Facet[Any]]) -> bool:
    if facet is Balancing:
        return any(row.mode != _DEFAULT_MODE for row in node.settings.rows(Balancing).values())
    return bool(node.settings.rows(facet))


def _able(kind: Kind, facet: type[Facet[Any]]) -> tuple[str, ...]:
    return tuple(name for name in systems(kind) if facet in system(kind, name).facets)

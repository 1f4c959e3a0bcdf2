"""Which host roles there are at the edge, and which classes their ports carry, as several rules ask."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.design.model import Design, TrafficClass


def hosts_by_role(design: Design) -> Mapping[str, tuple[str, ...]]:
    """Return the hosts that have NICs of each host role, in design order."""
    found: dict[str, dict[str, None]] = {}
    for rail in design.rails:
        role = rail.role or design.network.nodes[rail.node].role
        found.setdefault(role, {})[rail.node] = None
    return {role: tuple(hosts) for role, hosts in found.items()}


def role_of_port(design: Design) -> Mapping[tuple[str, str], str]:
    """Return the host role of each NIC port, under node and port."""
    nodes = design.network.nodes
    return {(rail.node, rail.port): rail.role or nodes[rail.node].role for rail in design.rails}


def carrying(design: Design, found: TrafficClass) -> tuple[str, ...]:
    """Return the host roles whose ports carry a class, in design order."""
    return tuple(role for role in hosts_by_role(design) if found.carried(role))

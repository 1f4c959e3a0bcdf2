"""Which host roles there are at the edge, and which classes their ports carry, as several rules ask."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.design.model import Design, TrafficClass
from fabric.hardware import lookup
from fabric.hardware.models import NicModel
from fabric.intent.document import Document
from fabric.settings.bonds import Bonds
from fabric.settings.network import End


def hosts_by_role(design: Design) -> Mapping[str, tuple[str, ...]]:
    """Return the hosts that have NICs of each host role, in design order."""
    found: dict[str, dict[str, None]] = {}
    for rail in design.rails:
        role = rail.role or design.network.nodes[rail.node].role
        found.setdefault(role, {})[rail.node] = None
    return {role: tuple(hosts) for role, hosts in found.items()}


def role_of_port(design: Design) -> Mapping[tuple[str, str], str]:
    """Return the host role of each NIC port and of each bond of NIC ports, under node and port."""
    nodes = design.network.nodes
    found: dict[tuple[str, str], str] = {}
    for rail in design.rails:
        role = rail.role or nodes[rail.node].role
        found[rail.node, rail.port] = role
        bond = nodes[rail.node].settings.rows(Bonds).get(rail.port)
        if bond is not None:
            found |= {(rail.node, port): role for port in bond.members}
    return found


def carrying(design: Design, found: TrafficClass) -> tuple[str, ...]:
    """Return the host roles whose ports carry a class, in design order."""
    return tuple(role for role in hosts_by_role(design) if found.carried(role))


def cards(document: Document, design: Design) -> Mapping[End, NicModel]:
    """Return the NIC of each NIC port of which there is data: each host role names its own."""
    nodes, roles = design.network.nodes, document.intent.topology.hosts
    known = frozenset(lookup.nics())
    found: dict[End, NicModel] = {}
    for (name, port), role in role_of_port(design).items():
        model = nodes[name].model if role == nodes[name].role or role not in roles else roles[role].nic
        if model in known:
            found[End(name, port)] = lookup.nic(model)
    return found

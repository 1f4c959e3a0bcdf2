"""Which host roles there are at the edge, and which classes their ports carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.design.model import Design, TrafficClass
from fabric.hardware import lookup
from fabric.hardware.models import NicModel
from fabric.intent.document import Document
from fabric.settings.bonds import Bonds
from fabric.settings.network import End, Link, Network, Node


def hosts_by_role(design: Design) -> Mapping[str, tuple[str, ...]]:
    """Return the hosts that have NICs of each host role, in design order."""
    found: dict[str, dict[str, None]] = {}
    for rail in design.rails:
        role = rail.role or design.network.nodes[rail.node].role
        found.setdefault(role, {})[rail.node] = None
    return {role: tuple(hosts) for role, hosts in found.items()}


def edges(network: Network, design: Design) -> Iterator[tuple[Link, str | None]]:
    """Yield each link with the host role of the NIC port at its lower end; ``None`` between switches."""
    roles = role_of_port(design)
    for link in network.links:
        yield link, roles.get(link.a)


def role_of_port(design: Design) -> Mapping[End, str]:
    """Return the host role of each NIC port, and of each bond of NIC ports."""
    nodes = design.network.nodes
    found: dict[End, str] = {}
    for rail in design.rails:
        role = rail.role or nodes[rail.node].role
        found[End(rail.node, rail.port)] = role
        bond = nodes[rail.node].settings.rows(Bonds).get(rail.port)
        if bond is not None:
            found |= {End(rail.node, port): role for port in bond.members}
    return found


def carrying(design: Design, found: TrafficClass) -> tuple[str, ...]:
    """Return the host roles whose ports carry a class, in design order."""
    return tuple(role for role in hosts_by_role(design) if found.carried(role))


def cards(document: Document, design: Design) -> Mapping[End, NicModel]:
    """Return the NIC of each NIC port of which there is data: each host role names its own."""
    nodes = design.network.nodes
    found: dict[End, NicModel] = {}
    for end, role in role_of_port(design).items():
        model = card(document, nodes[end.node], role)
        if model is not None:
            found[end] = model
    return found


def card(document: Document, host: Node, role: str) -> NicModel | None:
    """Return the NIC by which a host is part of a role; ``None`` where there is no data of it."""
    roles = document.intent.topology.hosts
    model = host.model if role == host.role or role not in roles else roles[role].nic
    return lookup.nic(model) if model in lookup.nics() else None

"""Build a design from an intent."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from fabric.design.addressing import Pools, pools
from fabric.design.asn import check_asns
from fabric.design.blueprint import Blueprint
from fabric.design.classes import traffic_classes
from fabric.design.faults import Gathered
from fabric.design.hosts import host_rails, host_settings
from fabric.design.model import Design
from fabric.design.quality import quality
from fabric.design.switches import LOOPBACK, switch_settings
from fabric.design.topology import layout
from fabric.design.why import Origins
from fabric.hardware.lookup import port_set
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links
from fabric.settings.network import End, Link, Network, Node
from fabric.settings.routes import Routes
from fabric.settings.scope import Scope
from fabric.settings.sysctl import Sysctl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.design.layout import HostGroup, Layout, SwitchGroup
    from fabric.intent.document import Document


def design(document: Document) -> Design:
    """Return the whole design of a loaded intent. Pure: equal documents make equal designs.

    Nodes stand in order of roles in the file and of their numbers, switches before hosts; links in order of their lower
    ends. DesignError when the intent cannot be built; what can be built and is not right is left to the rules.
    """
    blueprint = _blueprint(document)
    rows = blueprint.layout
    rails = {name: host_rails(blueprint.pools.hosts, nics) for name, nics in rows.nics.items()}
    nodes = {
        name: _switch(group, name, switch_settings(blueprint, group, index))
        for group in rows.switches
        for index, name in enumerate(group.names)
    } | {
        name: _host(group, name, host_settings(blueprint, group, rails[name]))
        for group in rows.hosts
        for name in group.names
    }
    network = Network(nodes, tuple(_links(document, rows)))
    return Design(
        fabric=document.intent.fabric,
        network=network,
        classes=blueprint.classes,
        mtu=document.intent.addressing.mtu,
        rails=tuple(rail for found in rails.values() for rail in found),
        scopes=_scopes(blueprint.pools, network),
        origins=Origins(blueprint, network),
    )


def _blueprint(document: Document) -> Blueprint:
    rows = layout(document)
    faults = Gathered()
    with faults:
        check_asns(document, rows.switches)
    with faults:
        where = pools(document, rows)
    faults.end()
    classes = traffic_classes(document.intent)
    return Blueprint(document, rows, where, classes, quality(document.intent, classes))


def _switch(group: SwitchGroup, name: str, settings: Settings) -> Node:
    intent = group.intent
    facts = Facts(
        system=intent.system,
        model=intent.model,
        release=ABSENT if intent.release is None else intent.release,
        ports=port_set(intent.model, intent.system) or ABSENT,
    )
    return Node(name, group.role, "switch", group.tier, intent.system, intent.model, facts, settings)


def _host(group: HostGroup, name: str, settings: Settings) -> Node:
    known = group.intent.interfaces is not None or group.nic.names is not None
    facts = Facts(system=group.intent.system, ports=frozenset(group.ports) if known else ABSENT)
    return Node(name, group.role, "host", 0, group.intent.system, group.intent.nic, facts, settings)


def _links(document: Document, rows: Layout) -> Iterator[Link]:
    """Yield all cables in order of their lower ends; the length is 0 where the intent gives none."""
    cables = document.intent.topology.cables
    lengths = tuple(float(cable.length_m or 0) for cable in cables)
    for group in rows.switches:
        for name in group.names:
            for wire in rows.uplinks.get(name, ()):
                a, b = End(name, wire.lower_port), End(wire.upper_name, wire.upper_port)
                yield Link(a, b, cables[wire.cable].speed, lengths[wire.cable])
    for hosts in rows.hosts:
        for name in hosts.names:
            for row in rows.nics[name]:
                a, b = End(name, row.port), End(row.leaf_name, row.leaf_port)
                yield Link(a, b, cables[hosts.cable].speed, lengths[hosts.cable])


def _scopes(where: Pools, network: Network) -> Mapping[str, Scope]:
    links = () if where.links is None else (where.links.pool,)
    prefixes = (where.loopbacks, *links, where.hosts.pool)
    return {name: _scope(node, prefixes) for name, node in network.nodes.items()}


def _scope(node: Node, prefixes: tuple[IPv4Network, ...]) -> Scope:
    settings = node.settings
    ports = set(settings.rows(Links))
    if node.kind == "switch":
        ports.add(LOOPBACK)
    names = {f"sysctl {key}" for key in settings.rows(Sysctl)} | {f"routes {key}" for key in settings.rows(Routes)}
    return Scope(frozenset(ports), prefixes, frozenset(names))

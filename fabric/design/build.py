"""Build a design from an intent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.addressing import Pools
from fabric.design.asn import check_asns, check_neighbours
from fabric.design.blueprint import Blueprint
from fabric.design.carving import pools
from fabric.design.chips import check_chips, own_chips
from fabric.design.clashes import check_clashes
from fabric.design.classes import communicator_classes, job_class, traffic_classes
from fabric.design.faults import Gathered
from fabric.design.given import check_given
from fabric.design.hosts import host_rails, host_settings
from fabric.design.layout import Attachment, Host, Layout, Switch, Wire, state_of
from fabric.design.model import Design, External
from fabric.design.ports import check_ports
from fabric.design.quality import check_speeds, quality
from fabric.design.sharing import externals, tenants
from fabric.design.switches import LOOPBACK, switch_settings
from fabric.design.thresholds_ports import marked
from fabric.design.topology import layout
from fabric.design.why import Origins
from fabric.hardware.lookup import nic
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.facts import Facts
from fabric.settings.links import Links
from fabric.settings.network import End, Link, Network, Node
from fabric.settings.pools import Pools as BufferPools
from fabric.settings.routes import Routes
from fabric.settings.scope import Scope
from fabric.settings.sysctl import Sysctl
from fabric.settings.tenants import Tenants
from fabric.settings.vlans import Vlans

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.intent.document import Document
    from fabric.intent.prefixes import IpNetwork


def design(document: Document) -> Design:
    """Return the whole design of a loaded intent. Pure: equal documents make equal designs.

    Nodes stand in order of roles in the file and of their numbers, switches before hosts; links in order of their lower
    ends. DesignError when the intent cannot be built; what can be built and is not right is left to the rules.
    """
    blueprint, outside = _blueprint(document)
    rows = blueprint.layout
    rails = {host.name: host_rails(blueprint, host) for host in rows.hosts}
    nodes = {switch.name: _switch(blueprint, switch) for switch in rows.switches}
    nodes |= {host.name: _host(host, host_settings(blueprint, host, rails[host.name])) for host in rows.hosts}
    intent = document.intent
    oversubscribe = intent.buffers.oversubscribe if intent.buffers else None
    network = Network(nodes, tuple(_links(rows)), own_chips(intent), oversubscribe)
    network = marked(network, blueprint.classes, rows.roles)
    return Design(
        fabric=intent.fabric,
        network=network,
        classes=blueprint.classes,
        mtu=intent.addressing.mtu,
        rails=tuple(rail for found in rails.values() for rail in found),
        scopes=_scopes(blueprint.pools, network, outside),
        origins=Origins(blueprint, network),
        pods=intent.topology.pods,
        tenants=blueprint.tenants,
        externals=outside,
        job_classes=dict(_job_classes(blueprint)),
        idle_hook=intent.hooks.idle if intent.hooks else None,
        management={
            node.name: str(node.given.management)
            for node in (*rows.switches, *rows.hosts)
            if node.given.management is not None
        },
        removed=tuple(node.place for node in rows.removed),
        interfaces={
            host.name: tuple(port for cards in host.cards for port in cards.ports)
            for host in rows.hosts
            if all(cards.named for cards in host.cards)
        },
        places={node.name: node.place for node in (*rows.switches, *rows.hosts) if node.name != node.place},
    )


def _blueprint(document: Document) -> tuple[Blueprint, tuple[External, ...]]:
    rows = layout(document)
    classes = traffic_classes(document.intent)
    faults = Gathered()
    with faults:
        check_asns(document, rows.switches)
        check_neighbours(document, (wire for wires in rows.uplinks.values() for wire in wires))
    with faults:
        where = pools(document, rows)
    with faults:
        shared = tenants(document, rows)
    with faults:
        outside = externals(document, rows)
    with faults:
        check_speeds(document, classes, _used(rows))
    with faults:
        check_ports(document, rows)
    with faults:
        check_chips(document, tuple({switch.model.name: switch.model for switch in rows.switches}.values()))
    faults.end()
    check_given(document, rows, where)
    speeds = {speed for speed, _ in _used(rows)}
    blueprint = Blueprint(document, rows, where, classes, quality(document.intent, classes, speeds), shared)
    check_clashes(blueprint)
    return blueprint, outside


def _job_classes(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    intent = blueprint.document.intent
    main = job_class(intent, blueprint.classes)
    if intent.jobs is not None and main is not None:
        yield "nccl", main.name
    for name, found in communicator_classes(intent, blueprint.classes).items():
        yield f"nccl.{name}", found.name


def _used(rows: Layout) -> Iterator[tuple[int, str | None]]:
    """Yield the speeds of all ports, each with the host role at its edge."""
    for attached in rows.nics.values():
        yield from ((row.laid.speed, row.cards.role) for row in attached)
    for wires in rows.uplinks.values():
        yield from ((wire.laid.speed, None) for wire in wires)


def _switch(blueprint: Blueprint, switch: Switch) -> Node:
    rows = blueprint.layout
    spots = [row.spot for row in rows.attached.get(switch.name, ())]
    spots += [wire.upper_spot for wire in rows.downlinks.get(switch.name, ())]
    spots += [wire.lower_spot for wire in rows.uplinks.get(switch.name, ())]
    broken = {spot.number: spot.ways for spot in spots if spot.ways > 1}
    facts = Facts(
        system=switch.system,
        model=switch.model.name,
        release=switch.release or ABSENT,
        ports=frozenset(switch.model.port_names(switch.system, broken)) or ABSENT,
    )
    settings = switch_settings(blueprint, switch)
    return Node(
        name=switch.name,
        role=switch.role,
        kind="switch",
        tier=switch.tier,
        system=switch.system,
        model=switch.model.name,
        facts=facts,
        settings=settings,
        pod=switch.pod,
        plane=rows.planes.get(switch.name),
        state=state_of(switch),
    )


def _host(host: Host, settings: Settings) -> Node:
    known = all(cards.named for cards in host.cards)
    ports = frozenset(port for cards in host.cards for port in cards.ports)
    facts = Facts(system=host.system, ports=ports if known else ABSENT)
    return Node(
        name=host.name,
        role=host.role,
        kind="host",
        tier=0,
        system=host.system,
        model=nic(host.given.nic or host.intent.nic).name,
        facts=facts,
        settings=settings,
        pod=host.pod,
        state=state_of(host),
    )


def _links(rows: Layout) -> Iterator[Link]:
    """Yield all cables in order of their lower ends."""
    for switch in rows.switches:
        for wire in rows.uplinks.get(switch.name, ()):
            yield _link(wire, End(wire.lower.name, wire.lower_port), End(wire.upper.name, wire.upper_port))
    for host in rows.hosts:
        for row in rows.nics.get(host.name, ()):
            yield _link(row, End(host.name, row.port), End(row.leaf.name, row.leaf_port))


def _link(row: Wire | Attachment, lower: End, upper: End) -> Link:
    laid = row.laid
    return Link(lower, upper, laid.speed, laid.length, laid.media, laid.fec)


def _scopes(where: Pools, network: Network, outside: tuple[External, ...]) -> Mapping[str, Scope]:
    links = tuple(pool.network for pool in where.links)
    prefixes = (*where.loopbacks, *links, *(pool.network for pool in where.hosts))
    return {name: _scope(node, prefixes, outside) for name, node in network.nodes.items()}


def _scope(node: Node, prefixes: tuple[IpNetwork, ...], outside: tuple[External, ...]) -> Scope:
    settings = node.settings
    ports = set(settings.rows(Links))
    if node.kind == "switch":
        ports.add(LOOPBACK)
    ports |= {f"vlan{row.id}" for row in settings.rows(Vlans).values()}
    names = {f"sysctl {key}" for key in settings.rows(Sysctl)} | {f"routes {key}" for key in settings.rows(Routes)}
    names |= {f"pools {key}" for key in settings.rows(BufferPools)}
    names |= {f"tenants {key}" for key in settings.rows(Tenants)}
    mine = [each for each in outside if each.node == node.name]
    foreign = {each.port for each in mine if each.port} | {each.neighbor for each in mine if each.neighbor}
    return Scope(frozenset(ports), prefixes, frozenset(names), frozenset(foreign))

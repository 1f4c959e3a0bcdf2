"""What checks see in the tests: the small fabric of base.yaml in perfect order, with a patch on what it reports."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.changes.reading import Reading
from fabric.checks.contract import Seen
from fabric.design.build import design
from fabric.intent.loader import parse
from fabric.intent.source import Source
from fabric.platforms.contract import Pong
from fabric.settings.bgp import Bgp
from fabric.settings.facet import ABSENT, State
from fabric.settings.pfc import Pfc
from fabric.settings.state.counters import Counters, QueueCount
from fabric.settings.state.devices import Device, Devices
from fabric.settings.state.marks import MarkCount, Marks
from fabric.settings.state.neighbours import Neighbour, Neighbours
from fabric.settings.state.paths import Path as Way
from fabric.settings.state.paths import Paths
from fabric.settings.state.pauses import PauseCount, Pauses
from fabric.settings.state.ports import Ports, PortState
from fabric.settings.state.reactions import ReactionCount, Reactions
from fabric.settings.state.sessions import Session, Sessions
from fabric.settings.state.storms import StormCount, Storms
from fabric.settings.state.watermarks import Watermark, Watermarks

HERE = Path(__file__).parent
_SPEC = spec_from_file_location("plain_rows", HERE.parent / "rules" / "plain_rows.py")
plain_rows = module_from_spec(_SPEC)
_SPEC.loader.exec_module(plain_rows)


def designed(patch):
    base = YAML(typ="safe", pure=True).load((HERE / "base.yaml").read_text())
    text = json.dumps(plain_rows.merged(base, patch), indent=1)  # JSON is YAML, in order
    return design(parse(Source("fabric.yaml", text, sha256(text.encode()).hexdigest())))


def running(built, systems):
    """The design with some nodes running systems that have no platform."""
    nodes = {name: replace(node, system=systems.get(name, node.system)) for name, node in built.network.nodes.items()}
    return replace(built, network=replace(built.network, nodes=nodes))


def announced(network):
    return {
        name: [key.partition(" ")[2] for key in node.settings.rows(Bgp) if key.startswith("network ")]
        for name, node in network.nodes.items()
        if node.tier == 1
    }


def beyond(network, name, way):
    """The switches at the other ends of the links of one that lead up (1) or down (-1), by port."""
    tier = network.nodes[name].tier
    far = {own.port: far.node for _, own, far in network.links_of[name]}
    return {port: node for port, node in far.items() if network.nodes[node].tier and _side(network, tier, node) == way}


def _side(network, tier, node):
    return 1 if network.nodes[node].tier > tier else -1


def falls(network, name, target):
    return name == target or any(falls(network, lower, target) for lower in beyond(network, name, -1).values())


def leads(network, name, target):
    """Whether a way leads from a switch to another: up any number of tiers, then down."""
    return falls(network, name, target) or any(
        leads(network, upper, target) for upper in beyond(network, name, 1).values()
    )


def paths(network, name):
    """The ports by which a leaf reaches the prefixes of others when all ways are used."""
    own = announced(network).get(name, ())
    uplinks = beyond(network, name, 1)
    for leaf, prefixes in announced(network).items():
        ports = tuple(sorted(port for port, upper in uplinks.items() if leads(network, upper, leaf)))
        if leaf != name and ports:
            yield from ((prefix, Way(ports)) for prefix in prefixes if prefix not in own)


def in_order(network, name, packets):
    """What a node reports when everything is as designed, with ``packets`` counted on every queue."""
    links = network.links_of[name]
    peers = [key.partition(" ")[2] for key in network.nodes[name].settings.rows(Bgp) if key.startswith("neighbor ")]
    count = QueueCount(packets, packets * 100, dropped=0)
    return State(
        Ports({own.port: PortState(up=True) for _, own, _ in links}),
        Neighbours({own.port: Neighbour(f"{far.node}.example.net", far.port) for _, own, far in links}),
        Sessions({peer: Session("Established", 4, 0) for peer in peers}),
        Paths(dict(paths(network, name))),
        Counters({f"{own.port} {queue}": count for _, own, _ in links for queue in range(8)}),
        *congestion(network, name, packets),
    )


def congestion(network, name, packets):
    """What a node with a chip reports of pauses, marks and NICs: one of a hundred packets is marked or paused for."""
    some = packets // 100
    paused = {port: row.priorities for port, row in network.nodes[name].settings.rows(Pfc).items()}
    ports = [own.port for _, own, _ in network.links_of[name]]
    numbers = [(port, number, number in paused.get(port, ())) for port in ports for number in range(8)]
    yield Pauses({f"{port} {number}": PauseCount(some * hit, some * hit) for port, number, hit in numbers})
    yield Marks({f"{port} {number}": MarkCount(some * hit) for port, number, hit in numbers})
    yield Storms({f"{port} {number}": StormCount(0, 0, 0) for port, number, hit in numbers if hit})
    yield Watermarks({f"{port} {number}": Watermark(1000) for port, number, hit in numbers if hit})
    yield Reactions({port: ReactionCount(some, some, some, 0) for port in ports})
    yield Devices(
        {
            port: Device(("pci0000:15", "0000:15:01.0", "0000:16:00.0", f"0000:1a:00.{at}"), 0)
            for at, port in enumerate(ports)
        }
        | {"gpu 0": Device(("pci0000:15", "0000:15:01.0", "0000:16:01.0", "0000:1b:00.0"), 0)}
    )


def facts_of(node, patch):
    """The facts of a node as designed, with a patch on what it says itself; null where it does not say."""
    return replace(node.facts, **{key: ABSENT if value is None else value for key, value in patch.items()})


def readings(built, packets, case, unread, patched="state"):
    nodes = {name: node for name, node in built.network.nodes.items() if name not in unread}
    state = {name: in_order(built.network, name, packets) for name in nodes}
    patches, facts = case.get(patched, {}), case.get("facts", {})
    changed = {
        name: plain_rows.patched(found, patches.get(name, {}), "fabric.settings.state") for name, found in state.items()
    }
    return {
        name: Reading(name, facts_of(node, facts.get(name, {})), node.settings, changed[name])
        for name, node in nodes.items()
    }


def pongs_of(check, built, case):
    pings = check.stimulus(built) if check.stimulus else ()
    for ping in pings:
        if ping.node in case.get("unsent", ()):
            continue
        pong = Pong(ping, sent=ping.count, received=ping.count)
        for lost in case.get("lost", ()):
            family = 6 if ":" in ping.destination else 4
            if ping.node != lost["node"] or family != lost.get("family", family):
                continue
            if ping.dscp in lost.get("dscp", [ping.dscp]):
                pong = replace(pong, received=lost["received"], reason=lost.get("reason", ""))
        yield pong


@pytest.fixture(scope="session")
def seen_of():
    """A function that makes what a check sees in a case; without a patch all is in order."""

    def make(check, case) -> Seen:
        built = running(designed(case.get("intent", {})), case.get("systems", {}))
        unreached = case.get("unreached", {})
        unread = {*unreached, *case.get("not_asked", ())}
        return Seen(
            design=built,
            readings=readings(built, 1000, case, unread),
            before=readings(built, 0, case, {*unread, *case.get("only_after", ())}, "before"),
            pongs=tuple(pongs_of(check, built, case)),
            unreached=unreached,
        )

    return make

"""Circles of buffers against a simulation that shares nothing with ours: paths written out, one destination at a time.

The oracle keeps every AS path as a tuple of switches, tries every loss by building the fabric without it, and asks
networkx for circles. A second one lets BGP speakers send messages in any order, and keeps all that they ever forward.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from fabric.analysis.bgp_sessions import speakers
from fabric.analysis.buffer_loops import ordered
from fabric.rules.deadlock import loop, loop_after_failure
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bgp import Announced, Bgp, Neighbor, Router
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts
from fabric.settings.network import End, Link, Network, Node
from fabric.settings.pfc import Pause, Pfc


@dataclass(frozen=True)
class Plain:
    """A fabric as the oracle sees it: AS numbers, pairs with how many cables, destinations with their leaves."""

    asn: dict[str, int]
    pairs: dict[tuple[str, str], int]
    origins: dict[int, tuple[str, ...]]
    lax: frozenset[str] = frozenset()
    deaf: frozenset[tuple[str, str]] = frozenset()

    def hears(self, name):
        return [far for far in self.neighbors(name) if (name, far) not in self.deaf]

    def neighbors(self, name):
        return [b if a == name else a for a, b in self.pairs if name in (a, b)]

    @property
    def edge(self):
        return {name for names in self.origins.values() for name in names}

    def takes(self, name, path):
        return name in self.lax or self.asn[name] not in [self.asn[each] for each in path]


@dataclass
class Rib:
    """Per switch its best paths, and per neighbour the acceptable ones that it offers."""

    best: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)
    heard: dict[str, dict[str, set[tuple[str, ...]]]] = field(default_factory=dict)

    def hops(self, name):
        return {path[1] for path in self.best.get(name, ()) if len(path) > 1}


def settled(fabric, origins):
    """The routes to one destination when nothing changes any more."""
    rib = Rib(best={name: {(name,)} for name in origins})
    while True:
        before = dict(rib.best)
        for name in fabric.asn:
            heard = {
                far: {path for path in before.get(far, ()) if fabric.takes(name, path)} for far in fabric.hears(name)
            }
            rib.heard[name] = {far: paths for far, paths in heard.items() if paths}
            if name not in origins:
                offered = [(name, *path) for paths in rib.heard[name].values() for path in paths]
                least = min(map(len, offered), default=0)
                rib.best[name] = {path for path in offered if len(path) == least}
        if rib.best == before:
            return rib


def waits(fabric, forwards, origins_of):
    """The circle-free question: channels of packets from hosts, each waiting for the next one on their way."""
    graph = nx.DiGraph()
    for bit, hops in forwards.items():
        near = deque((None, name) for name in fabric.edge if name in hops and name not in origins_of[bit])
        seen = set(near)
        while near:
            sender, name = near.popleft()
            if name in origins_of[bit]:
                continue
            for far in hops.get(name, ()):
                if sender is not None:
                    graph.add_edge((sender, name), (name, far))
                if (name, far) not in seen:
                    seen.add((name, far))
                    near.append((name, far))
    return graph


def losses(fabric):
    """Every single loss: what is left of the fabric, and of the leaves of each destination."""
    for pair, cables in fabric.pairs.items():
        if cables == 1:
            left = {each: count for each, count in fabric.pairs.items() if each != pair}
            yield Plain(fabric.asn, left, fabric.origins, fabric.lax, fabric.deaf)
    for gone in fabric.asn:
        left = {each: count for each, count in fabric.pairs.items() if gone not in each}
        origins = {bit: tuple(name for name in names if name != gone) for bit, names in fabric.origins.items()}
        asn = {name: number for name, number in fabric.asn.items() if name != gone}
        yield Plain(asn, left, origins, fabric.lax, fabric.deaf)
    for bit, names in fabric.origins.items():
        for some in {(), *((name,) for name in names)} if len(names) > 1 else {()}:
            yield Plain(fabric.asn, fabric.pairs, fabric.origins | {bit: some}, fabric.lax, fabric.deaf)


def after(fabric, left):
    """The ways from a loss on: as before, fallbacks of those who lost all next hops, and as it settles."""
    forwards = {}
    for bit, names in fabric.origins.items():
        old, new = settled(fabric, names), settled(left, left.origins[bit])
        there = {name: [far for far in left.neighbors(name) if far in left.asn] for name in left.asn}
        hops = {name: {far for far in old.hops(name) if far in there[name]} for name in left.asn}
        lost = {name for name in names if name in left.asn and name not in left.origins[bit]}
        while more := {name for name in left.asn if name not in lost and old.hops(name) and not hops[name] - lost}:
            lost |= more
        for name in left.asn:
            back = {far for far in old.heard[name] if far in there[name]} if name in lost else set()
            hops[name] |= new.hops(name) | back
        forwards[bit] = hops
    return forwards


def circle_today(fabric):
    forwards = {bit: settled(fabric, names) for bit, names in fabric.origins.items()}
    ways = {bit: {name: rib.hops(name) for name in fabric.asn} for bit, rib in forwards.items()}
    return not nx.is_directed_acyclic_graph(waits(fabric, ways, fabric.origins))


def circle_after(fabric, left):
    return not nx.is_directed_acyclic_graph(waits(left, after(fabric, left), left.origins))


ALIKE = {"tier": 100, "pair": 2, "device": 1}


@st.composite
def fabrics(draw, orderly=False):
    """Two or three tiers, cables that may be missing, AS numbers per tier, pair or switch, some hosts on two leaves.

    What is orderly has one number per tier above leaves, and nobody takes paths with its own number.
    """
    leaves = [f"leaf{i}" for i in range(draw(st.integers(2, 4)))]
    spines = [f"spine{i}" for i in range(draw(st.integers(1, 3)))]
    tops = [f"top{i}" for i in range(draw(st.integers(0, 2)))]
    joints = [(a, b) for low, high in ((leaves, spines), (spines, tops)) for a in low for b in high]
    pairs = {pair: cables for pair in joints if (cables := draw(st.sampled_from((1, 1, 1, 1, 2, 0))))}
    if not orderly and draw(st.integers(0, 5)) == 0:
        pairs[leaves[0], leaves[1]] = 1
    asn = {}
    for first, names in ((100, leaves), (200, spines), (300, tops)):
        kind = "tier" if orderly and first > 100 else draw(st.sampled_from(("device", "device", "tier", "pair")))
        asn |= {name: first + place // ALIKE[kind] for place, name in enumerate(names)}
    pairs = {pair: cables for pair, cables in pairs.items() if asn[pair[0]] != asn[pair[1]]}
    origins = {place: (name,) for place, name in enumerate(leaves)}
    if not orderly and draw(st.integers(0, 4)) == 0:
        origins[len(leaves)] = tuple(leaves[-2:])
    lax = frozenset(spines[:1] if not orderly and draw(st.integers(0, 6)) == 0 else ())
    deaf = st.sampled_from([(one, other) for pair in pairs for one, other in (pair, pair[::-1])] or [("", "")])
    return Plain(asn, pairs, origins, lax, frozenset(() if orderly or draw(st.booleans()) else [draw(deaf)]))


def network_of(fabric):
    """The same fabric as a network with settings, as rules see it."""
    ports = dict.fromkeys(fabric.asn, 0)
    links, rows, paused = [], {name: {} for name in fabric.asn}, {name: {} for name in fabric.asn}
    for (low, high), cables in fabric.pairs.items():
        for _ in range(cables):
            ends = []
            for name in (low, high):
                ports[name] += 1
                port = f"swp{ports[name]}"
                words = {"route-map ALL out", *({"allowas-in"} if name in fabric.lax else ())}
                words |= set() if (name, high if name == low else low) in fabric.deaf else {"route-map ALL in"}
                extra = tuple(sorted(f"ipv4 unicast: {each}" for each in words))
                rows[name][f"neighbor {port}"] = Neighbor("external", interface=True, extra=extra)
                paused[name][port] = Pause(frozenset({3}))
                ends.append(End(name, port))
            links.append(Link(*ends, 10**10, 5.0))
    nodes, hosts = {}, []
    for bit, names in fabric.origins.items():
        hosts.append(f"host{bit}")
        links += [
            Link(End(hosts[-1], f"eth{place}"), End(name, f"swp{90 + bit}"), 10**10, 5.0)
            for place, name in enumerate(names)
        ]
        for name in names:
            rows[name][f"network 10.0.0.{2 * bit}/31"] = Announced()
    for name, number in fabric.asn.items():
        tier = {"l": 1, "s": 2, "t": 3}[name[0]]
        bgp = Bgp({"router": Router(number, requires_policy=True)} | rows[name])
        whole = Settings(bgp, Pfc(paused[name]), Addresses({"lo 10.255.0.1/32": Address()}))
        nodes[name] = Node(name, "switch", "switch", tier, "frr", "linux", Facts("frr"), whole)
    nodes |= {name: Node(name, "host", "host", 0, "linux", "soft-roce", Facts("linux"), Settings()) for name in hosts}
    return Network(nodes, tuple(links))


@settings(max_examples=150, deadline=None)
@given(fabrics())
def test_buffers_wait_in_a_circle_today_where_paths_written_out_do(fabric):
    circle = bool(list(loop.check(network_of(fabric))))
    event(f"circle: {circle}")
    assert circle == circle_today(fabric)


@settings(max_examples=150, deadline=None)
@given(fabrics())
def test_buffers_wait_in_a_circle_after_a_loss_where_paths_written_out_do(fabric):
    circle = bool(list(loop_after_failure.check(network_of(fabric))))
    event(f"circle: {circle}")
    assert circle == any(circle_after(fabric, left) for left in losses(fabric))


def told(fabric, start, left, order):
    """All next hops that speakers ever use from a loss on, when news arrive in this order: per switch."""
    ribs = {
        name: {far: min(start.best[far]) for far in start.heard[name] if far in left.neighbors(name)}
        for name in left.asn
    }
    ribs = {
        name: {far: path for far, path in heard.items() if fabric.takes(name, path)} for name, heard in ribs.items()
    }
    said = {name: min(start.best[name], default=None) for name in left.asn}
    used = {name: set(start.hops(name)) for name in left.asn}
    queues = {(name, far): deque() for name in left.asn for far in left.neighbors(name)}
    own = next(iter(left.origins.values()))

    def choose(name):
        paths = {(name, *path) for path in ribs[name].values()}
        least = min(map(len, paths), default=0)
        chosen = {path for path in paths if len(path) == least}
        if name not in own:
            used[name] |= {path[1] for path in chosen}
        path = (name,) if name in own else min(chosen, default=None)
        if path != said[name]:
            said[name] = path
            for far in left.neighbors(name):
                queues[name, far].append(path)

    for name in left.asn:
        choose(name)
    while busy := [pair for pair, queue in queues.items() if queue]:
        name, far = pair = busy[order(len(busy))]
        path = queues[pair].popleft()
        if path is not None and fabric.takes(far, path):
            ribs[far][name] = path
        else:
            ribs[far].pop(name, None)
        choose(far)
    return used


@settings(max_examples=150, deadline=None)
@given(fabrics(orderly=True), st.data())
def test_no_order_of_messages_closes_a_circle_where_as_numbers_keep_ways_in_order(fabric, data):
    assert ordered(speakers(network_of(fabric)))
    left = data.draw(st.sampled_from(list(losses(fabric))))
    forwards = {}
    for bit, names in fabric.origins.items():
        one = Plain(left.asn, left.pairs, {bit: left.origins[bit]})
        forwards[bit] = told(fabric, settled(fabric, names), one, lambda count: data.draw(st.integers(0, count - 1)))
    assert nx.is_directed_acyclic_graph(waits(left, forwards, left.origins))


def test_the_simulation_itself_sees_packets_go_to_and_fro():
    # Two spines with a number each: spine0 without leaf0 falls back to leaf1, which still sends to both.
    asn = {"leaf0": 100, "leaf1": 101, "leaf2": 102, "spine0": 200, "spine1": 201}
    pairs = dict.fromkeys(((leaf, spine) for leaf in ("leaf0", "leaf1", "leaf2") for spine in ("spine0", "spine1")), 1)
    fabric = Plain(asn, pairs, {0: ("leaf0",), 1: ("leaf1",), 2: ("leaf2",)})
    left = Plain(asn, {pair: 1 for pair in pairs if pair != ("leaf0", "spine0")}, fabric.origins)
    assert not circle_today(fabric)
    assert circle_after(fabric, left)
    shared = Plain(asn | {"spine1": 200}, pairs, fabric.origins)
    assert not circle_after(shared, Plain(shared.asn, left.pairs, shared.origins))


BENDS = (("leaf0", "spine0"), ("leaf2", "spine1"))


@pytest.mark.parametrize("missing", [each for count in range(3) for each in combinations(BENDS, count)])
def test_two_bends_that_face_each_other_are_needed_for_a_circle(missing):
    asn = {f"leaf{i}": 100 + i for i in range(4)} | {"spine0": 200, "spine1": 201}
    pairs = {
        (f"leaf{i}", spine): 1 for i in range(4) for spine in ("spine0", "spine1") if (f"leaf{i}", spine) not in missing
    }
    fabric = Plain(asn, pairs, {i: (f"leaf{i}",) for i in range(4)})
    assert circle_today(fabric) == (len(missing) == 2)
    assert bool(list(loop.check(network_of(fabric)))) == (len(missing) == 2)

"""Pause loops: what the proof and the search cost as fabrics grow, and two graph libraries on one graph of buffers.

Times are CPU of this process after the design: what rules add to `fabric validate`. Every circle, and its absence, is
computed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import networkx as nx
from fabrics import pods
from tables import Cell, Column, Table

from fabric.analysis.bgp_routes import destinations
from fabric.analysis.bgp_sessions import speakers
from fabric.analysis.buffer_loops import dependencies, first_circle, ordered, pausing
from fabric.analysis.failures import closing, losses, ways_today
from fabric.design.build import design
from fabric.intent.loader import load
from fabric.rules.deadlock import loop, loop_after_failure
from fabric.settings.bgp import Bgp, Router
from fabric.settings.network import Network

T = TypeVar("T")

AI1024 = Path(__file__).parents[1] / "inventories" / "ai1024"
GRAPHS = 2048
"""Up to so many hosts the whole graph of buffers is built with both libraries."""
_LOOPS = (
    Column("fabric", "fabric"),
    Column("switches", "switches"),
    Column("links", "links between switches"),
    Column("losses", "single losses"),
    Column("sessions", "sessions ms", 1),
    Column("proof", "proof: today and after any loss, ms", 1),
    Column("search", "search: every loss tried, ms", 1),
    Column("circle", "an AS number per switch: first circle, ms", 1),
)
_GRAPHS = (
    Column("fabric", "fabric"),
    Column("nodes", "buffers"),
    Column("edges", "waits"),
    Column("rustworkx", "rustworkx: build ms", 1),
    Column("rustworkx_search", "search ms", 1),
    Column("networkx", "networkx: build ms", 1),
    Column("networkx_search", "search ms", 1),
)


def loops(hosts: Sequence[int], scratch: Path, say: Callable[[str], None]) -> list[Table]:
    """Measure `inventories/ai1024` and three-tier fabrics with so many hosts; return the tables."""
    growth, graphs = Table("loops", "Pause loops", _LOOPS), Table("graphs", "Graph libraries", _GRAPHS)
    for name, network in _networks(hosts, scratch):
        say(f"loops: {name}")
        growth.rows.append(_growth(name, network))
        if sum(node.kind == "host" for node in network.nodes.values()) <= GRAPHS:
            graphs.rows.append(_graphs(name, network))
    growth.notes.append("CPU of the rules on one core, after the design; one run each, imports done before")
    growth.notes.append(
        "search: as if AS numbers proved nothing; every link that is alone, every switch, every leaf's hosts"
    )
    graphs.notes.append(
        "the graph of what waits for what today; search: strongly connected components, of which none is a circle"
    )
    return [growth, graphs]


def _networks(hosts: Sequence[int], scratch: Path) -> Iterator[tuple[str, Network]]:
    yield "ai1024 (8,192 NICs)", design(load(AI1024)).network
    for fabric in map(pods, hosts):
        yield f"{fabric.hosts} hosts", design(load(fabric.write(scratch / f"loops-{fabric.name}"))).network


def _growth(name: str, network: Network) -> dict[str, Cell]:
    network.links_of, network.ends  # noqa: B018  # shared by all rules
    found, sessions = _timed(lambda: speakers(network))
    if not ordered(found):
        raise AssertionError(f"{name}: expected AS numbers that keep ways in order")
    nothing, proof = _timed(lambda: (*loop.check(network), *loop_after_failure.check(network)))
    there = destinations(found, 4)
    every, search = _timed(lambda: tuple(closing(network, found, 4, losses(network, found, there))))
    if nothing or every:
        raise AssertionError(f"{name}: expected no circle")
    apart = _apart(network)
    circles, first = _timed(lambda: tuple(loop_after_failure.check(apart)))
    if not circles:
        raise AssertionError(f"{name}: expected a circle where each switch has an AS number of its own")
    return {
        "fabric": name,
        "switches": len(found.asn),
        "links": sum(len(each.ends) for heard in found.hears.values() for each in heard.values()) // 2,
        "losses": sum(1 for _ in losses(network, found, there)),
        "sessions": sessions,
        "proof": proof,
        "search": search,
        "circle": first,
    }


def _graphs(name: str, network: Network) -> dict[str, Cell]:
    found = speakers(network)
    ways, (channels, *_) = ways_today(found, 4), pausing(network, found).values()
    ways.carried  # noqa: B018  # the same for both
    (graph, order), built = _timed(lambda: dependencies(ways, channels))
    circle, searched = _timed(lambda: first_circle(graph))

    def other() -> nx.DiGraph[int]:
        place = {channel: number for number, channel in enumerate(order)}
        made: nx.DiGraph[int] = nx.DiGraph()
        made.add_nodes_from(range(len(order)))
        for (sender, node), number in place.items():
            onward = (place.get((node, far)) for far in ways.onward(sender, node))
            made.add_edges_from((number, after) for after in onward if after is not None)
        return made

    plain, built_other = _timed(other)
    parts, searched_other = _timed(lambda: [part for part in nx.strongly_connected_components(plain) if len(part) > 1])
    if circle or parts or plain.number_of_edges() != graph.num_edges():
        raise AssertionError(f"{name}: the two libraries disagree")
    return {
        "fabric": name,
        "nodes": graph.num_nodes(),
        "edges": graph.num_edges(),
        "rustworkx": built,
        "rustworkx_search": searched,
        "networkx": built_other,
        "networkx_search": searched_other,
    }


def _apart(network: Network) -> Network:
    """Return a network in which every switch has an AS number of its own."""
    found = {}
    for number, (name, node) in enumerate(network.nodes.items(), 4_200_000_000):
        bgp = node.settings.rows(Bgp)
        if isinstance(router := bgp.get("router"), Router):
            found[name] = node.settings.with_(Bgp({**bgp, "router": replace(router, asn=number)}))
    return network.with_settings(found)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what a piece of work returns, and its CPU in ms."""
    begun = time.process_time()
    found = work()
    return found, 1000 * (time.process_time() - begun)

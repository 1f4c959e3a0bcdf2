"""Pools have room for a fifth more.

What it does
    Compares, for each pool of ``addressing`` and each switch role that has a block of it, how far the block is in use
    with its size, and notes where a fifth more would not fit.

Why
    A pool that is full is found out with the first switch that is bought after it. There is no other way then than a
    larger pool, in which every address of the fabric is another one: hosts, filters, routes and whatever a scheduler
    has written down.

Fails
    ``loopbacks: 10.255.0.0/24`` with 14 leaves: each role has a block of 15.

Passes
    The same with 12 leaves: 14.4 are fewer than 15.

Options
    None.

Known limits
    Pools of which addresses are given (``nodes``, lists of cables) are not judged. How far a block is in use counts
    places that pods set aside (``stride``), as these cannot be used for anything else.

Source
    A fifth is a choice of ours; how pools are cut stands in ``fabric/design/addressing.py``. Catalogue code A04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from socket import AF_INET, AF_INET6, inet_pton

from fabric.analysis.logical import holder
from fabric.analysis.spots import spots
from fabric.design.addressing import BLOCKS
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.intent.prefixes import IpNetwork
from fabric.intent.sections.addressing import HostPools
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node

SEVERITY = Severity.NOTE


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool under its key: what is cut out of it has ``size`` addresses (2: a pair)."""

    key: str
    network: IpNetwork
    size: int

    @property
    def block(self) -> int:
        """How many pieces the block of a role has."""
        return self.network.num_addresses // self.size // BLOCKS

    def piece(self, address: str) -> int | None:
        """Return which piece an address (without length) lies in, ``None`` outside the pool."""
        version = 6 if ":" in address else 4
        if version != self.network.version:
            return None
        number = int.from_bytes(inet_pton(AF_INET6 if version == 6 else AF_INET, address), "big")
        offset = number - int(self.network.network_address)
        return offset // self.size if 0 <= offset < self.network.num_addresses else None


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per pool and role with less room than for a fifth more."""
    network = design.network
    for pool in _pools(document):
        used: dict[str, list[int]] = {}
        for role, address in _addresses(network, pool.key):
            piece = pool.piece(address)
            if piece is not None and pool.block:
                used.setdefault(role, []).append(piece)
        for role, count, room in _rooms(network, pool, used):
            if count * 6 > room * 5:
                yield _violation(pool, role, count, room)


def _pools(document: Document) -> Iterator[_Pool]:
    """Yield the pools of which all addresses are computed."""
    addressing = document.intent.addressing
    loopbacks = () if any(given.loopback for given in document.intent.nodes.values()) else addressing.loopbacks
    yield from (_Pool("loopbacks", pool, 1) for pool in loopbacks)
    if addressing.router_ids is not None:
        yield _Pool("router_ids", addressing.router_ids, 1)
    if any(line.from_address or line.to_address for line in document.cables):
        return
    hosts = addressing.hosts
    if not isinstance(hosts, HostPools):
        yield from (_Pool("hosts", pool, 2) for pool in hosts)
    else:
        for number, pool in enumerate(hosts.prefix):
            length = hosts.length[min(number, len(hosts.length) - 1)]
            yield _Pool("hosts", pool, 2 if hosts.per == "nic" else 1 << (pool.max_prefixlen - length))
    if addressing.links != "unnumbered":
        yield from (_Pool("links", pool, 2) for pool in addressing.links)


def _addresses(network: Network, key: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses of switches from a pool, each with the role whose block it is in."""
    for node in network.nodes.values():
        if node.kind != "switch":
            continue
        router = node.settings.rows(Bgp).get("router")
        if key == "router_ids":
            if isinstance(router, Router) and not isinstance(router.router_id, Absent):
                yield node.role, router.router_id
            continue
        ports = frozenset({"lo"}) if key == "loopbacks" else _ports(network, node, up=key == "links")
        for row in node.settings.rows(Addresses):
            port, _, address = row.partition(" ")
            if port in ports:
                yield node.role, address.partition("/")[0]


def _ports(network: Network, node: Node, *, up: bool) -> frozenset[str]:
    """Return the ports of a switch that lead up, or that hold the addresses of those to hosts."""
    tiers = ((own, network.nodes[far.node].tier) for _, own, far in network.links_of[node.name])
    if up:
        return frozenset(own.port for own, tier in tiers if tier > node.tier)
    return frozenset(holder(node, own.port) for own, tier in tiers if not tier)


def _rooms(network: Network, pool: _Pool, used: Mapping[str, list[int]]) -> Iterator[tuple[str, int, int]]:
    """Yield per role how many pieces it uses, counted from the first of its block, and how many it has.

    Pairs and subnets go on into blocks that no role has; parts of ports have each a part of the block. Of single
    addresses, the first of a block is none.
    """
    single = pool.size == 1
    begins = sorted((min(pieces) // pool.block * pool.block, role) for role, pieces in used.items())
    ends = [*(start for start, _ in begins[1:]), pool.block * BLOCKS]
    for (start, role), end in zip(begins, ends, strict=True):
        ways = 1 if single else _ways(network, role)
        room = pool.block // ways if single or ways > 1 else end - start
        last = max((piece - start) % room for piece in used[role])
        yield (role, last, room - 1) if single else (role, last + 1, room)


def _ways(network: Network, role: str) -> int:
    """Return in how many parts ports of a role are broken out at most."""
    nodes = (node for node in network.nodes.values() if node.role == role)
    return max((spot.ways for node in nodes for spot in spots(network, node).values() if spot is not None), default=1)


def _violation(pool: _Pool, role: str, count: int, room: int) -> Violation:
    what = {1: "addresses", 2: "pairs of addresses"}.get(pool.size, "subnets")
    return Violation(
        path=f"addressing.{pool.key}",
        message=f"{pool.key} {pool.network} has {room} {what} for the role {role}, which uses {count} of them: "
        "there is no room for a fifth more",
        measured=f"{count} of {room} in use",
        bound=f"{room * 5 // 6} of {room}",
        fix=f"use a shorter prefix for addressing.{pool.key} before addresses are in use",
    )

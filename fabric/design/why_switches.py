"""Why the settings of a switch are what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.addressing import BLOCKS
from fabric.design.asn import asn
from fabric.design.headroom_ports import headroom_origin
from fabric.design.layout import Attachment, Switch, Wire, stride_of
from fabric.design.model import Origin
from fabric.design.overrides import path_of
from fabric.design.switches import MAX_PATHS, edge_port, logical_port
from fabric.design.why_cables import addressed, laid, port_origin
from fabric.hardware.ports import Spot
from fabric.intent.sections.topology import Cable
from fabric.units import format_speed

if TYPE_CHECKING:
    from fabric.design.blueprint import Blueprint

_SYSCTL = {
    "net.ipv4.ip_forward": "a switch forwards IPv4",
    "net.ipv6.conf.all.forwarding": "a switch forwards IPv6; BGP sessions without link addresses need it",
    "net.ipv4.fib_multipath_hash_policy": "1: ECMP hashes ports as well as addresses, so that flows of a pair spread",
    "net.ipv6.fib_multipath_hash_policy": "1: ECMP hashes ports as well as addresses, so that flows of a pair spread",
    "keep_addr_on_down": "1: the address outlives a flap of the link",
}
_WHOLE = {"pools": "buffers.override.{key}", "balance": "routing.load_balance", "tenants": "tenants.{key}"}
_NO_FILTER = "rails and ECMP answer by other ways than they were asked by: no reverse path filter"


@dataclass(frozen=True, slots=True)
class Seen:
    """A cable as a switch sees it: the words by which keys name it, and whether it is the lower end."""

    row: Wire | Attachment
    words: frozenset[str]
    lower: bool = False


def switch_origin(blueprint: Blueprint, switch: Switch, row: tuple[str, str], seen: Mapping[str, Seen]) -> Origin:
    """Return why a row (facet, key) of a switch with these cables is what it is."""
    facet, key = row
    document = blueprint.document
    if facet == "sysctl":
        reason = _SYSCTL.get(key) or _SYSCTL.get(key.rpartition(".")[2], _NO_FILTER)
        return Origin(reason, document.place(f"topology.switches.{switch.role}.system"))
    if facet in _WHOLE:
        where = _WHOLE[facet].format(key=key)
        return Origin(f"written as {where}", document.place(where))
    if key == "router":
        return _router(blueprint, switch)
    address = _loopback_of(blueprint, switch, key)
    if address:
        return _loopback(blueprint, switch, address)
    word = next(word for word in reversed(key.split()) if word in seen)
    if facet == "buffers":
        return headroom_origin(blueprint, switch, key, seen[word].row.laid)
    of_port = facet in {"links", "bonds", "vlans"}
    return _port(blueprint, switch, seen[word], key) if of_port else _cable(blueprint, seen[word], facet, word)


def _cable(blueprint: Blueprint, seen: Seen, facet: str, word: str) -> Origin:
    """Return why an address, session or announcement of a cable is what it is."""
    row = seen.row
    if facet == "addresses" or isinstance(row, Attachment):
        return addressed(blueprint, row, word, lower=seen.lower)
    peer = row.upper.name if seen.lower else row.lower.name
    if not blueprint.links[row]:
        reason = f"session with {peer} on the unnumbered link: whoever answers with another AS number"
        return Origin(reason, blueprint.document.place("addressing.links"))
    found = addressed(blueprint, row, word, lower=not seen.lower)
    return Origin(f"session with {peer} by its address: {found.reason}", found.place)


def cables_by_word(blueprint: Blueprint, name: str) -> Mapping[str, Seen]:
    """Return the cables of a switch under the words by which keys name them; the first of those that share a word."""
    found: dict[str, Seen] = {}
    for seen in _cables(blueprint, name):
        for word in seen.words:
            found.setdefault(word, seen)
    return found


def _cables(blueprint: Blueprint, name: str) -> Iterator[Seen]:
    layout = blueprint.layout
    for row in layout.attached.get(name, ()):
        pairs = blueprint.edges[row]
        words = {row.leaf_port, logical_port(blueprint, row), edge_port(blueprint, row)}
        words |= {pair.prefix for pair in pairs} | {f"{pair.upper}/{pair.length}" for pair in pairs}
        yield Seen(row, frozenset(words))
    for wire in layout.downlinks.get(name, ()):
        pairs = blueprint.links[wire]
        words = {wire.upper_port, *(pair.lower for pair in pairs), *(f"{pair.upper}/{pair.length}" for pair in pairs)}
        yield Seen(wire, frozenset(words))
    for wire in layout.uplinks.get(name, ()):
        pairs = blueprint.links[wire]
        words = {wire.lower_port, *(pair.upper for pair in pairs), *(f"{pair.lower}/{pair.length}" for pair in pairs)}
        yield Seen(wire, frozenset(words), lower=True)


def _router(blueprint: Blueprint, switch: Switch) -> Origin:
    number, plan = asn(switch), switch.intent.asn
    document, path = blueprint.document, f"topology.switches.{switch.role}.asn"
    if switch.given.asn is not None:
        path = path_of(document, switch, "asn")
        counted = f"AS {number}, given as {path}"
    elif plan.per == "tier":
        counted = f"AS {number}, one for the tier"
    elif plan.per == "pod":
        counted = f"AS {number} = {plan.first} + {(switch.pod or 1) - 1}, one per pod"
    else:
        pods = f"{(switch.pod or 1) - 1} x {plan.stride or stride_of(switch.intent)} + " if switch.pod else ""
        counted = f"AS {number} = {plan.first} + {pods}{switch.ordinal}, one per device"
    first = blueprint.pools.loopback(switch)[0]
    router_id = blueprint.pools.router_id(switch)
    said = f"loopback {first}" if router_id == first else f"{router_id} of addressing.router_ids"
    reason = f"{counted}; router id = {said}; up to {MAX_PATHS} equal paths, also by different AS numbers"
    return Origin(reason, document.place(path))


def _loopback_of(blueprint: Blueprint, switch: Switch, key: str) -> str:
    """Return the loopback address that a key speaks of; empty for none."""
    words = {word.partition("/")[0] for word in key.split()}
    return next((address for address in blueprint.pools.loopback(switch) if address in words), "")


def _loopback(blueprint: Blueprint, switch: Switch, address: str) -> Origin:
    document = blueprint.document
    if any(str(given) == address for given in switch.given.loopback or ()):
        path = path_of(document, switch, "loopback")
        return Origin(f"given as {path}", document.place(path))
    pool = next(pool for pool in blueprint.pools.loopbacks if (pool.version == 6) == (":" in address))
    reason = (
        f"loopback block {switch.number + 1} of {BLOCKS} of {pool} (role {switch.role} is switch role "
        f"{switch.number + 1} of the file), node {switch.index + 1}: address {switch.index + 1} of the block"
    )
    return Origin(reason, document.place("addressing.loopbacks"))


def _port(blueprint: Blueprint, switch: Switch, seen: Seen, key: str) -> Origin:
    row = seen.row
    special = port_origin(blueprint, switch, key)
    if special is not None:
        return special
    spot = row.spot if isinstance(row, Attachment) else row.lower_spot if seen.lower else row.upper_spot
    part = "" if spot.ways == 1 else f", part {spot.sub + 1} of {spot.ways}"
    place = _attached(row, spot) if isinstance(row, Attachment) else _wired(blueprint, row, spot, lower=seen.lower)
    speed = format_speed(row.laid.speed)
    reason = f"port {spot.number}{place}{part}; speed {speed} of the cable, IP MTU of addressing.mtu"
    return Origin(reason, laid(blueprint, row))


def _attached(row: Attachment, spot: Spot) -> str:
    intent = row.cards.intent
    group = "" if intent.per_group is None else f", {intent.per_group} hosts to a group"
    slot = f" = slot {spot.number - 1} + 1" if spot.ways == 1 else ""
    return f"{slot}, NIC {row.nic + 1} of {row.host.name} (attach {intent.attach}{group})"


def _wired(blueprint: Blueprint, wire: Wire, spot: Spot, *, lower: bool) -> str:
    """Return how the port of a wire comes about: by formula, or as its entry lists ports."""
    entry = blueprint.document.intent.topology.cables[wire.laid.entry]
    node, peer = (
        (wire.lower, f"uplink to {wire.upper.name}") if lower else (wire.upper, f"downlink to {wire.lower.name}")
    )
    if not isinstance(entry, Cable):
        return f", as listed, {peer}"
    written = entry.ports if entry.from_ == node.role else entry.to_ports
    if written is not None:
        return f" of {written}, {peer}"
    base = node.model.ports // 2 if lower else 0
    far, k = divmod(spot.number - base - 1, entry.per_pair)
    return f" = {base} + {far} x {entry.per_pair} + {k} + 1, {peer}"

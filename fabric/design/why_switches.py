"""Why the settings of a switch are what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric.design.addressing import BLOCKS, Pairs, Pools
from fabric.design.asn import asn
from fabric.design.blueprint import Blueprint
from fabric.design.layout import Attachment, SwitchGroup, Wire
from fabric.design.model import Origin
from fabric.design.switches import MAX_PATHS
from fabric.units import format_speed

_SYSCTL = {
    "net.ipv4.ip_forward": "a switch forwards IPv4",
    "net.ipv6.conf.all.forwarding": "a switch forwards IPv6; BGP sessions without link addresses need it",
    "net.ipv4.fib_multipath_hash_policy": "1: ECMP hashes ports as well as addresses, so that flows of a pair spread",
}
_NO_FILTER = "rails and ECMP answer by other ways than they were asked by: no reverse path filter"


@dataclass(frozen=True, slots=True)
class Seen:
    """A cable as a switch sees it: the words by which keys name it, and whether it is the lower end."""

    row: Wire | Attachment
    words: frozenset[str]
    lower: bool = False


def switch_origin(
    blueprint: Blueprint, group: SwitchGroup, index: int, row: tuple[str, str], seen: Mapping[str, Seen]
) -> Origin:
    """Return why a row (facet, key) of switch ``index`` (from 0) of a role, with these cables, is what it is."""
    facet, key = row
    document, pools = blueprint.document, blueprint.pools
    if facet == "sysctl":
        return Origin(_SYSCTL.get(key, _NO_FILTER), document.place(f"topology.switches.{group.role}.system"))
    if key == "router":
        return Origin(_router(pools, group, index), document.place(f"topology.switches.{group.role}.asn"))
    if f"{pools.loopback(group, index)}/32" in key.split():
        return Origin(_loopback(pools, group, index), document.place("addressing.loopbacks"))
    found = next(seen[word] for word in reversed(key.split()) if word in seen)
    if facet == "links":
        return _port(blueprint, found)
    if isinstance(found.row, Attachment):
        reason = f"{pools.hosts.formula_of_nic(found.row)}; the leaf has the even address"
        return Origin(reason, document.place("addressing.hosts"))
    return Origin(_link(pools.links, found.row, facet, lower=found.lower), document.place("addressing.links"))


def cables_by_word(blueprint: Blueprint, name: str) -> Mapping[str, Seen]:
    """Return the cables of a switch under the words by which keys name them; the first of those that share a word."""
    found: dict[str, Seen] = {}
    for seen in _cables(blueprint, name):
        for word in seen.words:
            found.setdefault(word, seen)
    return found


def _cables(blueprint: Blueprint, name: str) -> Iterator[Seen]:
    layout, hosts, links = blueprint.layout, blueprint.pools.hosts, blueprint.pools.links
    for row in layout.attached.get(name, ()):
        yield Seen(row, frozenset({row.leaf_port, f"{hosts.even(hosts.of_nic(row))}/31"}))
    for wire in layout.downlinks.get(name, ()):
        yield Seen(wire, frozenset({wire.upper_port, links.odd(links.of_wire(wire)) if links else ""}))
    for wire in layout.uplinks.get(name, ()):
        words = frozenset({wire.lower_port, links.even(links.of_wire(wire)) if links else ""})
        yield Seen(wire, words, lower=True)


def _router(pools: Pools, group: SwitchGroup, index: int) -> str:
    number, first = asn(group, index), group.intent.asn.first
    one = f"AS {number}, one for the tier"
    counted = f"AS {number} = {first} + {index}, one per device" if group.intent.asn.per == "device" else one
    return (
        f"{counted}; router id = loopback {pools.loopback(group, index)}; "
        f"up to {MAX_PATHS} equal paths, also by different AS numbers"
    )


def _loopback(pools: Pools, group: SwitchGroup, index: int) -> str:
    return (
        f"loopback block {group.number + 1} of {BLOCKS} of {pools.loopbacks} (role {group.role} is switch role "
        f"{group.number + 1} of the file), node {index + 1}: address {index + 1} of the block"
    )


def _port(blueprint: Blueprint, seen: Seen) -> Origin:
    row, document = seen.row, blueprint.document
    index = row.cable if isinstance(row, Wire) else row.host.cable
    cable = document.intent.topology.cables[index]
    number = _wired(row, cable.per_pair, lower=seen.lower) if isinstance(row, Wire) else _attached(row)
    reason = f"{number}; speed {format_speed(cable.speed)} of the cable, IP MTU of addressing.mtu"
    return Origin(reason, document.place(f"topology.cables.{index}"))


def _attached(row: Attachment) -> str:
    return (
        f"port {row.leaf_number} = slot {row.leaf_number - 1} + 1, NIC {row.nic + 1} of {row.host_name} "
        f"(attach {row.host.intent.attach}, {row.host.landing.per_group} hosts to a group)"
    )


def _wired(wire: Wire, per_pair: int, *, lower: bool) -> str:
    number, far = (wire.lower_number, wire.upper_index) if lower else (wire.upper_number, wire.lower_index)
    peer = f"uplink to {wire.upper_name}" if lower else f"downlink to {wire.lower_name}"
    base = number - far * per_pair - wire.pair - 1
    return f"port {number} = {base} + {far} x {per_pair} + {wire.pair} + 1, {peer}"


def _link(links: Pairs | None, wire: Wire, facet: str, *, lower: bool) -> str:
    peer = wire.upper_name if lower else wire.lower_name
    if links is None:
        return f"session with {peer} on the unnumbered link: whoever answers with another AS number"
    pair = f"{links.formula_of_wire(wire)}; the upper end has the even address"
    return pair if facet == "addresses" else f"session with {peer} by its address: {pair}"

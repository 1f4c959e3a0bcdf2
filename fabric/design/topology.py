"""Topology: from roles to nodes and cables, each end with its port: generated, listed, or both.

Entries of ``topology.cables`` are followed in file order; a pair of roles is generated or listed, never both. Ports
beyond a model get names beyond its pattern, and two cables in one port stay two cables: rules report both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fabric.design import roster
from fabric.design.attach import attachments, leaves_by_pod
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Cards, Host, Layout, Switch, Wire
from fabric.design.listing import Nodes, broken_out, changed, check_names, listed
from fabric.design.overrides import Overrides
from fabric.design.planes import planes
from fabric.design.room import Rooms
from fabric.design.tiers import lower_and_upper, tier_of
from fabric.design.wiring import wires
from fabric.intent.document import Document
from fabric.intent.sections.topology import Cable

Row = TypeVar("Row", Wire, Attachment)


def layout(document: Document) -> Layout:
    """Return all nodes and cables of an intent; DesignError when they cannot be laid out."""
    places = roster.places(document, Overrides(document))
    named = {place.real: (place.name, role) for role, rows in places.items() for place in rows}
    check_names(document, named)
    listed_pairs = {(named[line.from_node][1], named[line.to_node][1]) for line in document.cables}
    tier = tier_of(document, sorted(listed_pairs))
    _check_pairs(document, listed_pairs)
    faults = Gathered()
    with faults:
        switches = roster.switches(document, places, tier)
    with faults:
        hosts = roster.hosts(document, places)
    faults.end()
    laid = _cables(document, tier, switches, hosts)
    return _layout(switches, hosts, laid, tier)


@dataclass
class _Cables:
    """The cables so far; filled entry by entry."""

    wires: list[Wire] = field(default_factory=list)
    attached: list[Attachment] = field(default_factory=list)


def _cables(document: Document, tier: Mapping[str, int], switches: Sequence[Switch], hosts: Sequence[Host]) -> _Cables:
    roles = _by_role(switches)
    found, rooms, faults = _Cables(), Rooms(document), Gathered()
    for index, entry in enumerate(document.intent.topology.cables):
        if not isinstance(entry, Cable):
            continue
        below, above = lower_and_upper(entry, tier)
        with faults:
            if below in roles:
                found.wires += wires(document, index, _by_pod(roles[below]), _by_pod(roles[above]), rooms)
            else:
                rows = _cards(hosts, below)
                leaves = leaves_by_pod(document, index, [host for host, _ in rows], roles[above])
                found.attached += attachments(document, index, rows, leaves, rooms)
    faults.end()
    by_name = {switch.name: switch for switch in switches}
    nodes = Nodes(by_name, {host.name: host for host in hosts}, broken_out(document, by_name))
    more_wires, more_attached = listed(document, nodes, tier)
    return _Cables(*changed(document, found.wires + more_wires, found.attached + more_attached))


def _layout(switches: Sequence[Switch], hosts: Sequence[Host], laid: _Cables, tier: Mapping[str, int]) -> Layout:
    """Return what is there: all but removed nodes, and the cables between those that are left."""
    removed = tuple(node for node in (*switches, *hosts) if node.given.state == "removed")
    gone = {node.name for node in removed}
    wires = [wire for wire in laid.wires if wire.lower.name not in gone and wire.upper.name not in gone]
    attached = [row for row in laid.attached if row.host.name not in gone and row.leaf.name not in gone]
    every = _in_order(laid.attached, lambda row: row.host.name, lambda row: (row.nic, row.leg))
    return Layout(
        switches=tuple(switch for switch in switches if switch.name not in gone),
        hosts=tuple(host for host in hosts if host.name not in gone),
        uplinks=_in_order(wires, lambda wire: wire.lower.name, lambda wire: wire.lower_spot),
        downlinks=_in_order(wires, lambda wire: wire.upper.name, lambda wire: wire.upper_spot),
        attached=_in_order(attached, lambda row: row.leaf.name, lambda row: row.spot),
        nics=_without(every, gone),
        laid=every,
        planes=planes(laid.wires),
        tiers=tier,
        removed=removed,
        vacant=_vacant(laid, gone),
    )


def _in_order(rows: Iterable[Row], name: Callable[[Row], str], key: Callable[[Row], Any]) -> dict[str, tuple[Row, ...]]:
    """Return cables by the name of a node, sorted."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[name(row)].append(row)
    return {each: tuple(sorted(group, key=key)) for each, group in found.items()}


def _without(nics: Mapping[str, tuple[Attachment, ...]], gone: set[str]) -> Mapping[str, tuple[Attachment, ...]]:
    if not gone:
        return nics
    left = {
        name: tuple(row for row in rows if row.leaf.name not in gone) for name, rows in nics.items() if name not in gone
    }
    return {name: rows for name, rows in left.items() if rows}


def _vacant(laid: _Cables, gone: set[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the ports of each node that led to nodes that are gone."""
    if not gone:
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    ends = [(wire.lower.name, wire.lower_port, wire.upper.name, wire.upper_port) for wire in laid.wires]
    ends += [(row.host.name, row.port, row.leaf.name, row.leaf_port) for row in laid.attached]
    for lower, lower_port, upper, upper_port in ends:
        if (lower in gone) != (upper in gone):
            name, port = (upper, upper_port) if lower in gone else (lower, lower_port)
            found[name].append(port)
    return {name: tuple(ports) for name, ports in found.items()}


def _by_role(switches: Iterable[Switch]) -> Mapping[str, Sequence[Switch]]:
    found: dict[str, list[Switch]] = defaultdict(list)
    for switch in switches:
        found[switch.role].append(switch)
    return found


def _by_pod(switches: Iterable[Switch]) -> Mapping[int | None, Sequence[Switch]]:
    found: dict[int | None, list[Switch]] = defaultdict(list)
    for switch in switches:
        found[switch.pod].append(switch)
    return found


def _cards(hosts: Iterable[Host], role: str) -> Sequence[tuple[Host, Cards]]:
    return [(host, cards) for host in hosts for cards in host.cards if cards.role == role]


def _check_pairs(document: Document, listed_pairs: Iterable[tuple[str, str]]) -> None:
    """Refuse a pair of roles that is generated and listed."""
    lists = {frozenset(pair) for pair in listed_pairs}
    for index, entry in enumerate(document.intent.topology.cables):
        if isinstance(entry, Cable) and {entry.from_, entry.to} in lists:
            raise fault(
                document,
                f"topology.cables.{index}",
                f"topology.cables.{index}: cables between {entry.from_} and {entry.to} are listed as well",
                "take the entry out, or the lines of the list: a pair of roles is generated or listed, never both",
            )

"""Topology: from roles to nodes and cables, each end with its port: generated, listed, or both.

Entries of ``topology.cables`` are followed in file order; a pair of roles is generated or listed, never both. Ports
beyond a model get names beyond its pattern, and two cables in one port stay two cables: rules report both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from fabric.design import roster
from fabric.design.attach import attachments, leaves_by_pod
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Cards, Host, Layout, Switch, Wire
from fabric.design.listing import Nodes, broken_out, changed, listed
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
    role_of = {place.real: role for role, rows in places.items() for place in rows}
    listed_pairs = {
        (role_of[line.from_node], role_of[line.to_node])
        for line in document.cables
        if line.from_node in role_of and line.to_node in role_of
    }
    tier = tier_of(document, sorted(listed_pairs))
    _check_pairs(document, listed_pairs)
    faults = Gathered()
    with faults:
        switches = roster.switches(document, places, tier)
    with faults:
        hosts = roster.hosts(document, places)
    faults.end()
    laid = _cables(document, tier, switches, hosts)
    return _layout(switches, hosts, laid)


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


def _layout(switches: Sequence[Switch], hosts: Sequence[Host], laid: _Cables) -> Layout:
    """Return what is there: all but removed nodes, and the cables between those that are left."""
    gone = {switch.name for switch in switches if switch.given.state == "removed"}
    gone |= {host.name for host in hosts if host.given.state == "removed"}
    up: dict[str, list[Wire]] = defaultdict(list)
    down: dict[str, list[Wire]] = defaultdict(list)
    attached: dict[str, list[Attachment]] = defaultdict(list)
    nics: dict[str, list[Attachment]] = defaultdict(list)
    for wire in laid.wires:
        if wire.lower.name not in gone and wire.upper.name not in gone:
            up[wire.lower.name].append(wire)
            down[wire.upper.name].append(wire)
    for row in laid.attached:
        if row.host.name not in gone and row.leaf.name not in gone:
            attached[row.leaf.name].append(row)
            nics[row.host.name].append(row)
    return Layout(
        switches=tuple(switch for switch in switches if switch.name not in gone),
        hosts=tuple(host for host in hosts if host.name not in gone),
        uplinks={name: tuple(sorted(rows, key=lambda wire: wire.lower_spot)) for name, rows in up.items()},
        downlinks={name: tuple(sorted(rows, key=lambda wire: wire.upper_spot)) for name, rows in down.items()},
        attached={name: tuple(sorted(rows, key=lambda row: row.spot)) for name, rows in attached.items()},
        nics={name: tuple(sorted(rows, key=lambda row: (row.nic, row.leg))) for name, rows in nics.items()},
        planes=planes(laid.wires),
        removed=tuple(node.place for node in (*switches, *hosts) if node.name in gone),
    )


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

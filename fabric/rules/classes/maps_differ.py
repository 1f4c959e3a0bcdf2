"""A DSCP means one class on the whole way.

What it does
    Compares the DSCP maps of all ports that links have: those between switches with one another, and those between
    leaves and hosts of one role with one another (a class with ``edge`` is missing at the edge of other roles). What
    most ports of a kind do is the measure.

Why
    Each hop sorts anew. Where one spine sorts a DSCP differently, the class changes on the way: ECMP leads some of the
    flows over it, so that some lose packets and others do not, and no single device looks wrong.

Fails
    spine01 sends DSCP 26 to priority 0, all other switches send it to priority 3.

Passes
    The same map everywhere; ports to hosts of a role that does not carry a class, alike on all leaves.

Options
    None.

Known limits
    What has a rule of its own is not reported here as well: RDMA that a leaf sorts elsewhere
    (classes.mark-not-carried), CNPs and lossy classes in a paused priority (classes.cnp-lossless, classes.bystander),
    hosts that reach a class that they should not (classes.untrusted-edge). Entries that were not understood are not
    compared.

Source
    RFC 2475 section 2.3 (one mapping of codepoints within a domain). Catalogue code D01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from fabric.analysis.edges import edges
from fabric.analysis.ends import paused, several
from fabric.design.classes import DEFAULT, owners
from fabric.design.model import Design, TrafficClass
from fabric.ranges import count, runs_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.maps import UNKNOWN, ClassMap, Maps
from fabric.settings.network import End, Network, Node
from fabric.settings.nic import Nic

SEVERITY = Severity.ERROR
_SHOWN = 3

Table = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Moved:
    """A DSCP that a port sends to another priority than most do."""

    dscp: int
    priority: int
    usual: int


@dataclass(frozen=True, slots=True)
class _Told:
    """What other rules speak of: by the class of each DSCP, and (leaf, DSCP, priority) of RDMA that leaves misplace."""

    owner: Mapping[int, TrafficClass]
    misled: frozenset[tuple[str, int, int]]

    def left(self, node: Node, end: End, role: str | None, moved: tuple[_Moved, ...]) -> tuple[_Moved, ...]:
        """Return what no other rule speaks of; nothing where one does, and the rest is what no class names."""
        found = paused(node, end.port)
        pauses = frozenset[int]() if isinstance(found, Absent) else found
        left = tuple(
            each
            for each in moved
            if (node.name, each.dscp, each.priority) not in self.misled and not self._told(role, each, pauses)
        )
        told = len(left) < len(moved)
        return () if told and all(self.owner[each.dscp].name == DEFAULT for each in left) else left

    def _told(self, role: str | None, moved: _Moved, pauses: frozenset[int]) -> bool:
        """Tell whether it is a lossy class in a paused priority, or a lossless one out of its edge."""
        owner = self.owner[moved.dscp]
        if owner.lossless:
            return not owner.carried(role) and moved.priority == owner.priority
        return moved.priority in pauses


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per node whose maps differ from those of most ports of their kind."""
    differing = [role for role, tables in _tables(network, design).items() if len(tables) > 1]
    if not differing:
        return
    owner = owners(design.classes)
    told = _Told(owner, _misled(network, owner))
    nodes: dict[str, dict[_Moved, dict[End, None]]] = {}
    for role, tables in _ends(network, design, differing).items():
        usual = _usual(tables, design)
        for table, ends in tables.items():
            moved = tuple(_moved(table, usual))
            for end in ends:
                for each in told.left(network.nodes[end.node], end, role, moved):
                    nodes.setdefault(end.node, {}).setdefault(each, {})[end] = None
    for found in nodes.values():
        yield _violation(found, frozenset(dscp for dscp, each in owner.items() if each.rdma))


def _tables(network: Network, design: Design) -> Mapping[str | None, frozenset[Table]]:
    """Return the tables that links have, by host role (``None`` between switches)."""
    maps = {name: node.settings.rows(Maps) for name, node in network.nodes.items()}
    found: dict[str | None, dict[int, ClassMap]] = {}
    for link, role in edges(network, design):
        rows = found.setdefault(role, {})
        for end in (link.a, link.b):
            row = maps[end.node].get(end.port)
            if row is not None:
                rows[id(row)] = row
    return {role: frozenset(row.dscp_to_priority for row in rows.values()) for role, rows in found.items()}


def _ends(
    network: Network, design: Design, roles: Collection[str | None]
) -> Mapping[str | None, Mapping[Table, list[End]]]:
    """Return the ends of the links of these roles, by the table that they have."""
    found: dict[str | None, dict[Table, list[End]]] = {}
    for link, role in edges(network, design):
        for end in (link.a, link.b) if role in roles else ():
            row = network.nodes[end.node].settings.rows(Maps).get(end.port)
            if row is not None:
                found.setdefault(role, {}).setdefault(row.dscp_to_priority, []).append(end)
    return found


def _usual(tables: Mapping[Table, list[End]], design: Design) -> Table:
    """Return what most ports do; where as many do one thing as another, what the design says of one of them."""
    first = next(end for ends in tables.values() for end in ends)
    node = design.network.nodes.get(first.node)
    row = node.settings.rows(Maps).get(first.port) if node is not None else None
    designed = row.dscp_to_priority if row is not None else None
    return max(tables, key=lambda table: (len(tables[table]), table == designed))


def _moved(table: Table, usual: Table) -> Iterator[_Moved]:
    if table == usual:
        return
    for dscp, (priority, common) in enumerate(zip(table, usual, strict=True)):
        if priority != common and UNKNOWN not in (priority, common):
            yield _Moved(dscp, priority, common)


def _misled(network: Network, owner: Mapping[int, TrafficClass]) -> frozenset[tuple[str, int, int]]:
    """Return (leaf, DSCP, priority) where a leaf sorts the RDMA of a NIC elsewhere than into its class."""
    found: set[tuple[str, int, int]] = set()
    for link in network.links:
        nic = network.nodes[link.a.node].settings.rows(Nic).get(link.a.port)
        maps = network.nodes[link.b.node].settings.rows(Maps).get(link.b.port)
        if nic is None or maps is None or isinstance(nic.traffic_class, Absent):
            continue
        dscp = nic.traffic_class // 4
        priority = maps.dscp_to_priority[dscp]
        if owner[dscp].rdma and priority != owner[dscp].priority:
            found.add((link.b.node, dscp, priority))
    return frozenset(found)


def _violation(found: Mapping[_Moved, Mapping[End, None]], rdma: frozenset[int]) -> Violation:
    ways: dict[tuple[int, int], list[int]] = {}
    for moved in found:
        ways.setdefault((moved.priority, moved.usual), []).append(moved.dscp)
    # RDMA first; then what moves alone, mostly a mistake in one line: crowds are the map of the factory.
    shown = sorted(ways.items(), key=lambda way: (rdma.isdisjoint(way[1]), len(way[1])))[:_SHOWN]
    more = f", and {count(len(ways) - len(shown), 'more way')}" if len(ways) > len(shown) else ""
    ends = tuple(dict.fromkeys(end for each in found.values() for end in each))
    said = ", ".join(
        f"DSCP {runs_of(dscps)} goes to priority {priority}, not {usual}" for (priority, usual), dscps in shown
    )
    return Violation(
        path=f"{ends[0].node}.maps.{ends[0].port}",
        message=f"{several(ends)}: {said}, as on most ports{more}",
        measured=", ".join(f"DSCP {runs_of(dscps)} to priority {priority}" for (priority, _), dscps in shown),
        bound=", ".join(f"priority {usual}" for usual in dict.fromkeys(usual for (_, usual), _ in shown)),
        fix=f"give {ends[0].node} the map that all others have",
    )

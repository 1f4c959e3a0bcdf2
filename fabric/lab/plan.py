"""The plan of a lab: nodes, their ports and management addresses, and cables; pure, and kept as JSON beside the lab."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from ipaddress import IPv4Network

from fabric.design.model import Design
from fabric.errors import UsageError
from fabric.settings.bgp import Bgp, Neighbor
from fabric.settings.network import End, Kind, Node

SYSTEMS: Mapping[Kind, str] = {"switch": "frr", "host": "linux"}
"""What the lab can run, per kind of node."""

_POOLS = tuple(map(IPv4Network, ("172.31.0.0/16", "198.18.0.0/16", "100.127.0.0/16")))
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class NodePlan:
    """One node: its kind, its ports in design order, and how it is managed (``address`` carries its length).

    ``cables`` counts the ports that lead to a node of the lab, ``bfd`` says that a session of its is watched by BFD.
    """

    name: str
    kind: Kind
    ports: tuple[str, ...]
    management: str
    address: str
    cables: int = 0
    bfd: bool = False


@dataclass(frozen=True)
class LabPlan:
    """What is to be built. ``gateway`` is the address of the management bridge, with its length.

    A planned node is not there yet: the ports that will lead to it are, and have no carrier.

    The patch panel calls the far end of port number n (counted over all nodes in order, from 1) ``p<n>``.
    """

    fabric: str
    gateway: str
    nodes: tuple[NodePlan, ...]
    cables: tuple[tuple[End, End], ...]

    @cached_property
    def node(self) -> Mapping[str, NodePlan]:
        """Nodes by name."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def patch(self) -> Mapping[End, str]:
        """The name in the patch panel of each port."""
        ends = (End(node.name, port) for node in self.nodes for port in node.ports)
        return {end: f"p{number}" for number, end in enumerate(ends, 1)}

    def holds(self, other: LabPlan) -> bool:
        """Tell whether each node and cable of another plan is one of this one, wherever it is managed."""
        ports = {node.name: set(node.ports) for node in self.nodes}
        there = all(ports.get(node.name, set()) >= set(node.ports) for node in other.nodes)
        return there and self.fabric == other.fabric and set(other.cables) <= set(self.cables)


def plan(design: Design) -> LabPlan:
    """Return the plan for a design; UsageError naming every node that a lab cannot run."""
    there = tuple(node for node in design.network.nodes.values() if node.state != "planned")
    refused = [f"{node.name} ({node.system})" for node in there if SYSTEMS[node.kind] != node.system]
    if refused:
        raise UsageError(
            f"the lab cannot run {len(refused)} of {len(there)} nodes: {', '.join(refused)}",
            where=design.fabric,
            hint="the namespace lab runs frr switches and linux hosts",
        )
    pool = _pool(design)
    addresses = pool.hosts()
    gateway = f"{next(addresses)}/{pool.prefixlen}"
    names = {node.name for node in there}
    ends = ((link.a, link.b) for link in design.network.links)
    cables = tuple((a, b) for a, b in ends if {a.node, b.node} <= names)
    counts = Counter(end.node for cable in cables for end in cable)
    nodes = tuple(
        _node(design, node, f"{address}/{pool.prefixlen}", counts[node.name])
        for node, address in zip(there, addresses, strict=False)
    )
    return LabPlan(design.fabric, gateway, nodes, cables)


def _node(design: Design, node: Node, address: str, cables: int) -> NodePlan:
    ports = tuple(end.port for _, end, _ in design.network.links_of[node.name])
    neighbours = (row for row in node.settings.rows(Bgp).values() if isinstance(row, Neighbor))
    bfd = any(row.bfd is True for row in neighbours)
    return NodePlan(node.name, node.kind, ports, _management(ports), address, cables, bfd)


def _management(ports: tuple[str, ...]) -> str:
    return "eth0" if "eth0" not in ports else "mgmt0"


def _pool(design: Design) -> IPv4Network:
    """Return the first management pool that no prefix of the design touches."""
    taken = {prefix for scope in design.scopes.values() for prefix in scope.prefixes}
    free = (pool for pool in _POOLS if not any(pool.overlaps(p) for p in taken if isinstance(p, IPv4Network)))
    found = next(free, None)
    if found is None:
        raise UsageError(
            f"no management network is left: the design uses {', '.join(map(str, _POOLS))}",
            where=design.fabric,
            hint="leave one of them free in addressing",
        )
    return found


def dump(lab: LabPlan) -> str:
    """Return a plan as JSON."""
    return json.dumps({"format_version": _FORMAT} | asdict(lab), indent=1)


def load(text: str) -> LabPlan:
    """Return the plan that `dump` wrote."""
    raw = json.loads(text)
    return LabPlan(
        raw["fabric"],
        raw["gateway"],
        tuple(NodePlan(**(node | {"ports": tuple(node["ports"])})) for node in raw["nodes"]),
        tuple((End(**a), End(**b)) for a, b in raw["cables"]),
    )

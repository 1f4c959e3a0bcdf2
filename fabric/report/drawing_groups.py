"""Which nodes of a fabric are drawn together: tiers from the top, pods, and blocks of leaves with their hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric.settings.network import Network, Node


@dataclass(frozen=True)
class Row:
    """Switches of one tier side by side, in sets of one role and plane; ``planes`` says whether planes part it."""

    tier: int
    sets: tuple[tuple[Node, ...], ...]
    planes: bool

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All of them."""
        return tuple(node for each in self.sets for node in each)


@dataclass(frozen=True)
class Block:
    """Leaves that share hosts, and these hosts, each by role."""

    leaves: tuple[tuple[Node, ...], ...]
    hosts: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True)
class Pod:
    """A pod, or what belongs to none; rows from the top."""

    number: int | None
    rows: tuple[Row, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Groups:
    """A whole fabric: what stands above all pods, from the top, and the pods."""

    rows: tuple[Row, ...]
    pods: tuple[Pod, ...]


def groups(network: Network) -> Groups:
    """Group the nodes of a network; without pods, all of it is one."""
    nodes = network.nodes.values()
    numbers = sorted({node.pod for node in nodes if node.pod is not None})
    blocks = _blocks(network)
    if not numbers:
        return Groups((), (Pod(None, _rows(node for node in nodes if node.tier > 1), tuple(b for _, b in blocks)),))
    pods = [_pod(number, nodes, blocks) for number in numbers]
    if free := tuple(block for number, block in blocks if number is None):
        pods.append(Pod(None, (), free))
    return Groups(_rows(node for node in nodes if node.tier > 1 and node.pod is None), tuple(pods))


def _pod(number: int, nodes: Iterable[Node], blocks: Iterable[tuple[int | None, Block]]) -> Pod:
    upper = _rows(node for node in nodes if node.tier > 1 and node.pod == number)
    return Pod(number, upper, tuple(block for pod, block in blocks if pod == number))


def _rows(nodes: Iterable[Node]) -> tuple[Row, ...]:
    tiers: dict[int, list[Node]] = {}
    for node in nodes:
        tiers.setdefault(node.tier, []).append(node)
    return tuple(_row(tier, tiers[tier]) for tier in sorted(tiers, reverse=True))


def _row(tier: int, nodes: list[Node]) -> Row:
    """Part a tier by role, and by plane where some plane has several nodes: one each would only make frames."""
    planes: dict[tuple[str, int | None], list[Node]] = {}
    roles: dict[str, list[Node]] = {}
    for node in nodes:
        planes.setdefault((node.role, node.plane), []).append(node)
        roles.setdefault(node.role, []).append(node)
    parted = len(planes) > len(roles) and any(len(found) > 1 for found in planes.values())
    return Row(tier, tuple(tuple(found) for found in (planes if parted else roles).values()), parted)


def _blocks(network: Network) -> list[tuple[int | None, Block]]:
    """Find leaves and hosts that hang together, with the pod of each; leaves without hosts are one block by pod."""
    low = {name: node for name, node in network.nodes.items() if node.tier <= 1}
    leader = {name: name for name in low}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = name = leader[leader[name]]
        return name

    for link in network.links:
        ends = link.a.node, link.b.node
        if all(end in low for end in ends) and any(low[end].kind == "host" for end in ends):
            leader[find(ends[1])] = find(ends[0])
    hosted = {find(name) for name, node in low.items() if node.kind == "host"}
    found: dict[tuple[str, int | None], list[Node]] = {}
    for name, node in low.items():
        found.setdefault((find(name), None) if find(name) in hosted else ("", node.pod), []).append(node)
    return [_block(nodes) for nodes in found.values()]


def _block(nodes: list[Node]) -> tuple[int | None, Block]:
    kinds: dict[str, dict[str, list[Node]]] = {"switch": {}, "host": {}}
    for node in nodes:
        kinds[node.kind].setdefault(node.role, []).append(node)
    return nodes[0].pod, Block(_tuples(kinds["switch"]), _tuples(kinds["host"]))


def _tuples(roles: Mapping[str, list[Node]]) -> tuple[tuple[Node, ...], ...]:
    return tuple(tuple(nodes) for nodes in roles.values())

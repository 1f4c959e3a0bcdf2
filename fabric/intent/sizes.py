"""How large a fabric may be: what its counts multiply to is bounded before anything is built of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.cards import ports_of
from fabric.intent.pods import is_podded
from fabric.intent.tree import Path, Tree, dotted

MOST_NODES: Final = 100_000
MOST_CABLES: Final = 500_000


def size_problems(tree: Tree) -> Iterator[Problem]:
    """Yield roles and cable entries that ask for more than a fabric may have."""
    switches, hosts = (("topology", kind) for kind in ("switches", "hosts"))
    roles: list[Path] = [(*above, role) for above in (switches, hosts) for role in tree.mapping(*above)]
    nodes = [(total, role) for role in roles if (total := _nodes(tree, role)) is not None]
    if (asked := sum(total for total, _ in nodes)) > MOST_NODES:
        total, role = max(nodes)
        said = f"{dotted(role)}: {total} nodes, {asked} in all"
        yield Problem(said, tree.key_place(role), f"a fabric has at most {MOST_NODES}; lower count, or topology.pods")
        return  # cables would only say it again
    cables = [(_cables(tree, index), index) for index, _ in enumerate(tree.items("topology", "cables"))]
    if (asked := sum(total for total, _ in cables)) > MOST_CABLES:
        total, index = max(cables)
        path: Path = ("topology", "cables", index)
        hint = f"a fabric has at most {MOST_CABLES}; lower per_pair, or the counts of the two roles"
        yield Problem(f"{dotted(path)}: {total} cables, {asked} in all", tree.key_place(path), hint)


def _pods(tree: Tree, role: Path) -> int:
    return max(tree.whole("topology", "pods") or 1, 1) if is_podded(tree, role) else 1


def _nodes(tree: Tree, role: Path) -> int | None:
    count = tree.whole(*role, "count")
    return count * _pods(tree, role) if count is not None and 0 < count <= MOST_NODES else None


def _cables(tree: Tree, index: int) -> int:
    """Return how many cables an entry makes; 0 where the file does not say it in numbers."""
    entry = tree.mapping("topology", "cables", index)
    hosts, switches = tree.mapping("topology", "hosts"), tree.mapping("topology", "switches")
    ends = [end for end in (entry.get("from"), entry.get("to")) if isinstance(end, str)]
    for end in ends:
        if end in hosts:
            of = tree.get("topology", "hosts", end, "of")
            machines: Path = ("topology", "hosts", of if isinstance(of, str) else end)
            return (_nodes(tree, machines) or 0) * (ports_of(tree, ("topology", "hosts", end)) or 0)
    if len(ends) != 2 or not all(end in switches for end in ends):
        return 0
    one, other = (("topology", "switches", end) for end in ends)
    both = (
        (_nodes(tree, one) or 0)
        * (_nodes(tree, other) or 0)
        * (tree.whole("topology", "cables", index, "per_pair") or 1)
    )
    shared = min(_pods(tree, one), _pods(tree, other))  # each pod by itself, where both have pods
    planes = _planes(tree, index, one, other)
    return both // max(shared, 1) // max(planes, 1)


def _planes(tree: Tree, index: int, one: Path, other: Path) -> int:
    path: Path = ("topology", "cables", index)
    if tree.get(*path, "spread") != "plane":
        return 1
    counts = [tree.whole(*role, "count") or 1 for role in (one, other)]
    return min(tree.whole(*path, "planes") or counts[0], *counts)

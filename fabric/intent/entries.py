"""Keys of cable entries that mean something only with others: planes, strides, and changes of single cables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.pods import is_podded
from fabric.intent.tree import Path, Tree, dotted

_CHANGES: Final = ("length_m", "media", "fec")


def entry_problems(tree: Tree) -> Iterator[Problem]:
    """Yield keys of ``topology.cables`` that mean nothing where they stand, and entries that change nothing."""
    for index, entry in enumerate(tree.items("topology", "cables")):
        path: Path = ("topology", "cables", index)
        if not isinstance(entry, dict) or "file" in entry:
            continue
        if "match" in entry:
            if not any(key in entry for key in _CHANGES):
                hint = f"add what is different there: {', '.join(_CHANGES)}"
                yield Problem(f"{dotted(path)}: the entry changes nothing", tree.key_place(path), hint)
            continue
        ends = (entry.get("from"), entry.get("to"))
        if all(isinstance(end, str) for end in ends):
            yield from _planes(tree, path, (str(ends[0]), str(ends[1])))
            yield from _stride(tree, path, (str(ends[0]), str(ends[1])))


def _planes(tree: Tree, path: Path, ends: tuple[str, str]) -> Iterator[Problem]:
    entry = tree.mapping(*path)
    spread = entry.get("spread")
    if spread == "plane" and any(end in tree.mapping("topology", "hosts") for end in ends):
        hint = "planes are of switches; hosts spread over leaves by attach"
        said = f"{dotted(path)}.spread: plane, and {ends[0]} to {ends[1]} is no cable between switches"
        yield Problem(said, tree.value_place((*path, "spread")), hint)
    if "planes" in entry and spread is None:
        hint = "it is the number of planes of spread: plane; add that, or leave planes out"
        yield Problem(f"{dotted(path)}.planes means nothing here", tree.key_place((*path, "planes")), hint)


def _stride(tree: Tree, path: Path, ends: tuple[str, str]) -> Iterator[Problem]:
    """Yield a stride where no upper switch serves the lower ones of several pods."""
    switches, hosts = tree.mapping("topology", "switches"), tree.mapping("topology", "hosts")
    if "stride" not in tree.mapping(*path) or not all(end in switches or end in hosts for end in ends):
        return
    podded = [end for end in ends if end in switches and is_podded(tree, ("topology", "switches", end))]
    if len(podded) != 1 or any(end in hosts for end in ends):
        hint = "it sets ports aside on switches that serve all pods, for pods that grow; leave it out"
        yield Problem(f"{dotted(path)}.stride means nothing here", tree.key_place((*path, "stride")), hint)

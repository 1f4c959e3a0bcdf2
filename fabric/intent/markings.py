"""ECN of classes: thresholds beside a profile that has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.tree import Tree, dotted

_NO_MARKS: Final = "pfc-only"


def marking_problems(tree: Tree) -> Iterator[Problem]:
    """Yield thresholds that are written in a class whose profile marks nothing."""
    for name in tree.mapping("classes"):
        if tree.get("classes", name, "ecn", "profile") != _NO_MARKS:
            continue
        for key in ("min", "max", "probability"):
            path = ("classes", name, "ecn", key)
            if tree.get(*path) not in {"auto", None}:
                said = f"{dotted(path)}: written, and profile {_NO_MARKS} marks nothing"
                yield Problem(said, tree.value_place(path), "write auto, or another profile")

"""Nodes to plain data with the places of every key and item, aliases written out within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from fabric.errors import Problem
from fabric.intent.nodes import DEEPEST, Items, Leaf, Node, Scalar
from fabric.intent.problems import as_error
from fabric.places import Place

MOST_VALUES: Final = 50_000
_LONGEST_NAME: Final = 64

Path: TypeAlias = tuple[str | int, ...]
Data: TypeAlias = "Scalar | list[Data] | dict[str, Data]"


@dataclass(frozen=True)
class Tree:
    """Plain data; per path the place of its key (or list item) and that of its value."""

    file: str
    data: Data
    keys: Mapping[Path, Place]
    values: Mapping[Path, Place]

    def key_place(self, path: Path) -> str:
        """Return where the key of ``path`` stands; the start of the file for the file itself."""
        return str(self.keys.get(path, Place(self.file, 1, 1)))

    def value_place(self, path: Path) -> str:
        """Return where the value of ``path`` stands, or that of its key."""
        found = self.values.get(path)
        return str(found) if found is not None else self.key_place(path)

    def get(self, *path: str | int) -> Data:
        """Return the value at a path, ``None`` where there is none."""
        found = self.data
        for step in path:
            if isinstance(found, dict) and isinstance(step, str):
                found = found.get(step)
            elif isinstance(found, list) and isinstance(step, int) and step < len(found):
                found = found[step]
            else:
                return None
        return found

    def mapping(self, *path: str | int) -> dict[str, Data]:
        """Return the mapping at a path; an empty one where there is none."""
        found = self.get(*path)
        return found if isinstance(found, dict) else {}

    def items(self, *path: str | int) -> list[Data]:
        """Return the list at a path; an empty one where there is none."""
        found = self.get(*path)
        return found if isinstance(found, list) else []

    def whole(self, *path: str | int) -> int | None:
        """Return the whole number at a path; ``None`` where there is none."""
        found = self.get(*path)
        return found if type(found) is int else None


def dotted(path: Iterable[str | int]) -> str:
    """Write a path as users read it: ``topology.cables.0.speed``. No name of the language is longer than is kept."""
    return ".".join(str(step)[:_LONGEST_NAME] for step in path)


def grow(node: Node, file: str) -> tuple[Tree, list[Problem]]:
    """Return the plain data of a node; keys without a value are problems.

    Raises IntentError where aliases, written out, are too deep or too many.
    """
    grower = _Grower(file)
    data = grower.value(node, ())
    return Tree(file, data, grower.keys, grower.values), grower.problems


@dataclass
class _Grower:
    file: str
    keys: dict[Path, Place] = field(default_factory=dict)
    values: dict[Path, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def value(self, node: Node, path: Path) -> Data:
        """Return the data of a node that stands at ``path``."""
        if len(self.values) >= MOST_VALUES or len(path) > DEEPEST:
            place = str(node.place)
            raise as_error([Problem("the aliases of the file make it too large", place, "write the values out")])
        self.values[path] = node.place
        if isinstance(node, Leaf):
            return node.value
        if isinstance(node, Items):
            return [self._item(path, index, item) for index, item in enumerate(node.items)]
        return {name: self._entry(path, name, *entry) for name, entry in node.entries.items()}

    def _item(self, path: Path, index: int, node: Node) -> Data:
        inner = (*path, index)
        self.keys[inner] = node.place
        return self._given(node, inner)

    def _entry(self, path: Path, name: str, place: Place, node: Node) -> Data:
        inner = (*path, name)
        self.keys[inner] = place
        return self._given(node, inner)

    def _given(self, node: Node, path: Path) -> Data:
        if isinstance(node, Leaf) and node.value is None:
            hint = "give a value, or leave the key out"
            self.problems.append(Problem(f"{dotted(path)} has no value", str(self.keys[path]), hint))
        return self.value(node, path)

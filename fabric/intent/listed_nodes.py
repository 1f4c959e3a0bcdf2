"""Nodes that a CSV file lists: its cells take their places among the keys of ``nodes``, before these are judged."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Final

from pydantic import ValidationError

from fabric.errors import Problem
from fabric.intent.names import is_csv_file
from fabric.intent.problems import MOST_PROBLEMS
from fabric.intent.sections.nodes import NodeIntent
from fabric.intent.tables import Columns, Row, read_table
from fabric.intent.tree import Data, Path, Tree
from fabric.places import Place

_SHOWN: Final = 40
_FILE: Final[Path] = ("nodes", "file")
_NOT_IN_CELLS: Final = frozenset({"ports"})
_LISTS: Final = frozenset({"interfaces", "loopback"})
_NUMBERS: Final = frozenset({"asn"})
_MOST_NAMES: Final = 500_000
COLUMNS: Final = Columns(
    ("node",), tuple(name for name in NodeIntent.model_fields if name not in _NOT_IN_CELLS), most=50_000
)


@dataclass(frozen=True, slots=True)
class NodeList:
    """The file with its listed nodes merged in, what is wrong with the list, and the digest of the CSV file."""

    tree: Tree
    problems: tuple[Problem, ...] = ()
    digests: tuple[str, ...] = ()


def read_listed_nodes(tree: Tree, folder: FilePath) -> NodeList:
    """Read the list that ``nodes.file`` names, if there is one; ``nodes`` has no key ``file`` afterwards."""
    nodes = tree.mapping("nodes")
    if "file" not in nodes:
        return NodeList(tree)
    name, place = nodes["file"], tree.value_place(_FILE)
    merging = _Merging(tree)
    if not isinstance(name, str) or not is_csv_file(name):
        if name is None:
            return NodeList(merging.tree())  # that it has no value is said already
        found = repr(name[:_SHOWN]) if isinstance(name, str) else "another value"
        said = f"nodes.file: found {found}; a CSV file beside this one, such as nodes.csv, is wanted"
        return NodeList(merging.tree(), (Problem(said, place, "file: a list of nodes, one line each"),))
    table = read_table(folder, name, place, COLUMNS)
    for row in table.rows:
        merging.add(row)
    return NodeList(merging.tree(), (*table.problems, *merging.problems), (table.digest,))


class _Merging:
    """Puts rows below ``nodes``, with the places of their cells."""

    def __init__(self, tree: Tree) -> None:
        self.problems: list[Problem] = []
        self._given = tree
        self._nodes = {name: keys for name, keys in tree.mapping("nodes").items() if name != "file"}
        self._keys = dict(tree.keys)
        self._values = dict(tree.values)
        self._rows: dict[str, Place] = {}
        self._wrong = self._names = 0

    def tree(self) -> Tree:
        """Return the file with what was added."""
        data: Data = self._given.mapping() | {"nodes": dict(self._nodes)}
        return Tree(self._given.file, data, self._keys, self._values)

    def add(self, row: Row) -> None:
        """Take one line; a node that is there twice, and a value that is given in both files, are problems."""
        if max(self._wrong, len(self.problems)) >= MOST_PROBLEMS:
            return  # more than will be shown is wrong by now
        place, node = row.place("node"), row.cells.get("node")
        if node is None:
            self.problems.append(Problem("node has no value", str(place), "node: the place, such as leaf03"))
        elif (first := self._rows.setdefault(node, place)) is not place:
            said = f"the node {node[:_SHOWN]!r} is listed twice"
            self.problems.append(Problem(said, str(place), f"keep one line; the first is at {first}"))
        elif isinstance(keys := self._nodes.setdefault(node, {}), dict):  # else it is no node, which the models say
            self._keys.setdefault(("nodes", node), place)
            self._values.setdefault(("nodes", node), place)
            self._nodes[node] = keys | self._cells(row, node, keys)
            self._wrong += not _is_right(self._nodes[node])

    def _cells(self, row: Row, node: str, keys: dict[str, Data]) -> dict[str, Data]:
        added: dict[str, Data] = {}
        for column, cell in row.cells.items():
            path, place = ("nodes", node, column), row.place(column)
            if column in keys:
                said = f"nodes.{node[:_SHOWN]}.{column} is given in both files"
                hint = f"keep one value; the other is at {self._given.key_place(path)}"
                self.problems.append(Problem(said, str(place), hint))
            elif column != "node":
                added[column] = self._data(column, cell, place)
                self._keys[path] = self._values[path] = place
        return added

    def _data(self, column: str, cell: str, place: Place) -> Data:
        """Return what a cell stands for in YAML; several values of one cell are separated by blanks."""
        if column in _NUMBERS and cell.isascii() and cell.isdecimal() and len(cell) <= 20:
            return int(cell)
        several: list[Data] = list(cell.split()) if column in _LISTS else [cell]
        self._names += len(several)
        if self._names > _MOST_NAMES:
            said = f"the file holds more than {_MOST_NAMES} values"
            self.problems.append(Problem(said, str(place), "list what differs, and let the rest be computed"))
            return cell
        return several if len(several) > 1 or column == "interfaces" else cell


def _is_right(keys: Data) -> bool:
    try:
        NodeIntent.model_validate(keys)
    except ValidationError:
        return False
    return True

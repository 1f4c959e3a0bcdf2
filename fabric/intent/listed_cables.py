"""Cables that CSV files list: each line with its cells checked, each port once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path as FilePath
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from fabric.errors import Problem
from fabric.intent.listed import ListedCable
from fabric.intent.names import InterfaceName, Name, NodeName, is_csv_file
from fabric.intent.prefixes import Loopbacks
from fabric.intent.problems import MOST_PROBLEMS
from fabric.intent.quantities import Metres, Speed
from fabric.intent.sections.topology import Fec
from fabric.intent.tables import Columns, Row, read_table
from fabric.intent.tree import Path, Tree
from fabric.places import Place

COLUMNS: Final = Columns(
    ("from_node", "from_port", "to_node", "to_port", "speed"),
    ("length_m", "media", "fec", "from_address", "to_address"),
    100_000,
)
_NUMBER: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_TYPES: Final[dict[str, Any]] = {
    "from_node": NodeName,
    "from_port": InterfaceName,
    "to_node": NodeName,
    "to_port": InterfaceName,
    "speed": Speed,
    "length_m": Metres,
    "media": Name,
    "fec": Fec,
    "from_address": Loopbacks,
    "to_address": Loopbacks,
}
_ADDRESSES: Final = frozenset({"from_address", "to_address"})
_HINTS: Final = {
    "from_node": "the name of a node, such as leaf01",
    "from_port": "the name of its port, such as swp1",
    "to_node": "the name of a node, such as spine01",
    "to_port": "the name of its port, such as swp1",
    "speed": "speed of the cable, such as 400G",
    "length_m": "length in metres, above 0 and at most 100000",
    "media": "what the cable is: dac, aoc, dr4, ...",
    "fec": "allowed: none, fc, rs",
    "from_address": "the address of the port at from_node, or one of each family with a blank between",
    "to_address": "the address of the port at to_node, or one of each family with a blank between",
}


@dataclass(frozen=True, slots=True)
class CableLists:
    """The cables of all lists, what is wrong with them, and the digest of each file in order of the entries."""

    cables: tuple[ListedCable, ...]
    problems: tuple[Problem, ...]
    digests: tuple[str, ...]


def with_one_entry(tree: Tree) -> Tree:
    """Return the file with ``cables: {file: cables.csv}`` written as a list of that one entry."""
    above: Path = ("topology", "cables")
    entry = tree.get(*above)
    if not isinstance(entry, dict) or "file" not in entry:
        return tree
    data = tree.mapping() | {"topology": tree.mapping("topology") | {"cables": [entry]}}
    keys, values = (
        {_moved(path, above): place for path, place in places.items()} for places in (tree.keys, tree.values)
    )
    first = {(*above, 0): tree.keys[above]}
    return Tree(tree.file, data, keys | first | {above: tree.keys[above]}, values | {above: tree.values[above]})


def _moved(path: Path, above: Path) -> Path:
    return (*above, 0, *path[2:]) if path[:2] == above else path


def read_cables(tree: Tree, folder: FilePath) -> CableLists:
    """Read the cable lists that ``topology.cables`` names; names that are none are left to the models."""
    cables: list[ListedCable] = []
    problems: list[Problem] = []
    digests: list[str] = []
    named: dict[str, int] = {}
    for index, entry in enumerate(tree.items("topology", "cables")):
        name = entry.get("file") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not is_csv_file(name):
            continue
        path, first = ("topology", "cables", index, "file"), named.setdefault(name, index)
        if first != index:
            said = f"topology.cables.{index}.file: {name} is listed already by topology.cables.{first}"
            problems.append(Problem(said, tree.value_place(path), "name each file once"))
            continue
        table = read_table(folder, name, tree.value_place(path), COLUMNS)
        problems += table.problems
        digests.append(table.digest)
        if not table.rows and not table.problems:
            hint = "add one line per cable, or take the entry out of topology.cables"
            problems.append(Problem("the list names no cable", str(Place(str(folder / name), 1, 1)), hint))
        for row in table.rows:
            if len(problems) >= MOST_PROBLEMS:
                break  # more than will be shown is wrong by now
            wrong = tuple(_wrong(row))
            problems += wrong
            if not wrong:
                cables.append(_cable(row, index))
    return CableLists(tuple(cables), (*problems, *_ports_taken_twice(cables)), tuple(digests))


def _wrong(row: Row) -> Iterator[Problem]:
    """Yield what is wrong with the cells of one line."""
    for column in COLUMNS.needed:
        if column not in row.cells:
            yield Problem(f"{column} has no value", str(row.place(column)), f"{column}: {_HINTS[column]}")
    for column, cell in row.cells.items():
        said = _complaint(column, cell)
        if said is not None:
            yield Problem(f"{column}: found {cell[:40]!r}{said}", str(row.place(column)), f"{column}: {_HINTS[column]}")
    cells = row.cells
    if cells.get("from_node") == cells.get("to_node") is not None:
        said = f"the cable leads from {cells['to_node'][:40]} to itself"
        yield Problem(said, str(row.place("to_node")), "cables lead from one node to another")
    if ("from_address" in cells) != ("to_address" in cells) and {"from_address", "to_address"} <= {*row.columns}:
        column = "to_address" if "from_address" in cells else "from_address"
        yield Problem(
            f"{column} has no value", str(row.place(column)), "give the addresses of both ends, or of neither"
        )


def _complaint(column: str, cell: str) -> str | None:
    """Return what is to be said behind the cell that was found, ``None`` where it is right."""
    try:
        _value(column, cell)
    except ValidationError as error:
        reason = error.errors(include_url=False)[0].get("ctx", {}).get("error")
        return f"; {reason}" if isinstance(reason, ValueError) else ""
    return None


def _value(column: str, cell: str) -> object:
    given: object = cell
    if column == "length_m" and _NUMBER.fullmatch(cell):
        given = float(cell)
    elif column in _ADDRESSES:
        given = cell.split()
    return _checks()[column](given)


@cache
def _checks() -> dict[str, Callable[[object], object]]:
    return {column: TypeAdapter(kind).validate_python for column, kind in _TYPES.items()}


def _cable(row: Row, entry: int) -> ListedCable:
    values = {column: _value(column, cell) for column, cell in row.cells.items()}
    place = Place(row.file, row.line, 1)
    return ListedCable(entry=entry, place=place, **values)  # type: ignore[arg-type]  # _TYPES has those of its fields


def _ports_taken_twice(cables: list[ListedCable]) -> Iterator[Problem]:
    taken: dict[tuple[str, str], Place] = {}
    for cable in cables:
        for end in ((cable.from_node, cable.from_port), (cable.to_node, cable.to_port)):
            first = taken.setdefault(end, cable.place)
            if first is not cable.place:
                said = f"{end[0]}:{end[1]} has a cable already"
                yield Problem(said, str(cable.place), f"one port has one cable; the other is at {first}")

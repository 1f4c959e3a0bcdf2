"""CSV files beside the intent file: read within bounds, with a place for every cell."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from fabric.errors import IntentError, Problem
from fabric.intent.problems import MOST_PROBLEMS
from fabric.intent.source import FORBIDDEN_IN_VALUES, read_text
from fabric.intent.spelling import choices, nearest
from fabric.places import Place

LARGEST_LIST: Final = 16 * 2**20
_LONGEST_LINE: Final = 10_000
_SHOWN: Final = 40
_SEPARATORS: Final = {"\t": "tabs", ";": "semicolons"}


@dataclass(frozen=True, slots=True)
class Row:
    """One line: the cells under the names of their columns, empty ones left out."""

    file: str
    line: int
    text: str
    columns: tuple[str, ...]
    cells: dict[str, str]

    def place(self, column: str) -> Place:
        """Return where the cell of a column begins, counted in characters from 1."""
        index = self.columns.index(column)
        return Place(self.file, self.line, _starts(self.text)[index] + 1)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that a file may have: those that it must have, and those that may be missing; and how many lines."""

    needed: tuple[str, ...]
    optional: tuple[str, ...]
    most: int


@dataclass(slots=True)
class Table:
    """The rows of a file that are right, what is wrong with the others, and the SHA-256 of the bytes."""

    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    digest: str = ""


def read_table(folder: Path, name: str, asked: str, columns: Columns) -> Table:
    """Read a CSV file (RFC 4180, UTF-8, commas, a first line of names) that lies in a folder.

    ``asked`` is where the intent file names it. Whatever is wrong is among the problems of the table.
    """
    file = folder / name
    try:
        _refuse_elsewhere(file, asked)
        text, data = read_text(file, LARGEST_LIST, f"a list is smaller, at most {columns.most} lines")
    except IntentError as error:
        return Table(problems=list(error.problems))
    table = Table(digest=sha256(data).hexdigest())
    _Reading(str(file), columns, table).read(text)
    return table


def _refuse_elsewhere(file: Path, asked: str) -> None:
    """Raise IntentError where there is no such file, or where it is a link that leads out of its folder."""
    name = file.name
    try:
        inside = file.resolve().is_relative_to(file.parent.resolve())
        there = file.exists()
    except (OSError, RuntimeError):  # a circle of links
        inside, there = False, True
    if not there:
        raise IntentError(f"there is no {name} beside the intent file", where=asked, hint=f"it would be {file}")
    if not inside:
        raise IntentError(f"{name} is a link that leads elsewhere", where=asked, hint="put the file itself there")


@dataclass(slots=True)
class _Reading:
    file: str
    columns: Columns
    table: Table
    names: tuple[str, ...] = ()

    def read(self, text: str) -> None:
        if "\n" not in text:  # as old spreadsheets end lines
            text = text.replace("\r", "\n")
        if text.count("\n") > self.columns.most:
            said = f"the file has more than {self.columns.most} lines"
            self._say(self.columns.most + 1, said, "list what differs, and let the rest be generated")
            return
        for number, line in enumerate(_lines(text), 1):
            if len(self.table.problems) >= MOST_PROBLEMS:
                self._say(number, "too much is wrong: what follows was not looked at", "mend the lines above first")
                return
            if line.strip() and not self._line(number, line):
                return
        if not self.names:
            hint = f"its first line names the columns: {','.join(self.columns.needed)}"
            self._say(1, "the file is empty", hint)

    def _line(self, number: int, line: str) -> bool:
        """Take one line; tell whether it makes sense to go on."""
        separator = next((sign for sign in _SEPARATORS if sign in line), None)
        if not self.names and separator is not None and "," not in line:
            said = f"columns are separated by {_SEPARATORS[separator]}, commas are wanted"
            self._say(number, said, "export the list as CSV (comma separated)", line.index(separator) + 1)
            return False
        cells = self._cells(number, line)
        if not self.names:
            return cells is not None and self._head(number, line, cells)
        if cells is not None:
            given = {name: cell for name, cell in zip(self.names, cells, strict=True) if cell}
            if given:  # else a line of commas, as spreadsheets leave them behind
                self.table.rows.append(Row(self.file, number, line, self.names, given))
        return True

    def _cells(self, number: int, line: str) -> tuple[str, ...] | None:
        before = len(self.table.problems)
        if len(line) > _LONGEST_LINE:
            self._say(number, f"the line has more than {_LONGEST_LINE} characters", "write one entry per line")
            return None
        try:
            cells = next(csv.reader([line], strict=True))
        except csv.Error:
            hint = 'a value in quotes stands in one line, its quotes at both ends: "a value"'
            self._say(number, "the quotes of this line do not match", hint)
            return None
        for match in FORBIDDEN_IN_VALUES.finditer(line):
            said = f"the line holds the character U+{ord(match[0]):04X}"
            self._say(number, said, "separate columns by commas, and write visible characters only", match.start() + 1)
        if self.names and len(cells) != len(self.names):
            said = f"the line has {len(cells)} {'value' if len(cells) == 1 else 'values'} for {len(self.names)} columns"
            self._say(number, said, "write one value for each column, nothing between two commas where there is none")
        return None if len(self.table.problems) > before else tuple(cell.strip() for cell in cells)

    def _head(self, number: int, line: str, names: tuple[str, ...]) -> bool:
        starts, known = _starts(line), (*self.columns.needed, *self.columns.optional)
        separated = "the columns of a file are separated by commas; " if ";" in line else ""
        for index, name in enumerate(names):
            if name in names[:index]:
                self._say(number, f"the column {name[:_SHOWN]!r} is there twice", "keep one of them", starts[index] + 1)
            elif name not in known:
                hint = separated + choices(nearest(name, known), known)
                self._say(number, f"unknown column {name[:_SHOWN]!r}", hint, starts[index] + 1)
        for name in self.columns.needed:
            if name not in names and name not in {nearest(other, known) for other in names[:50] if other not in known}:
                self._say(number, f"the column {name} is missing", f"the first line is {','.join(self.columns.needed)}")
        self.names = names
        return not self.table.problems

    def _say(self, line: int, message: str, hint: str, column: int = 1) -> None:
        self.table.problems.append(Problem(message, str(Place(self.file, line, column)), hint))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text, however they end, one at a time."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end].removesuffix("\r")
        start = end + 1


def _starts(line: str) -> list[int]:
    """Return where each cell of a line begins; commas within quotes separate nothing."""
    starts, quoted = [0], False
    for index, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == "," and not quoted:
            starts.append(index + 1)
    return starts

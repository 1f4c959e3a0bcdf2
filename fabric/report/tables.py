"""Tables and lines for people, and how they become text. All make sense without colour."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabric.report.drawing_model import Mark
from fabric.report.words import WORDS

Part: TypeAlias = Text | Table

_STYLES = {
    Mark.OK: "green",
    Mark.ERROR: "bold red",
    Mark.WARNING: "yellow",
    Mark.SKIP: "yellow",
    Mark.MAINTENANCE: "yellow",
    Mark.NOTE: "dim",
    Mark.PLANNED: "dim",
}
# How words of verdicts, states and impacts look; any other word has no style.
STYLES = {word: _STYLES[mark] for word, mark in WORDS.items()}
_UNWRAPPED = 100_000
_LONG = 36
_GAP = 2


def printed(parts: Iterable[Part], *, color: bool, width: int = 0) -> str:
    """Turn lines and tables into text. Tables fold their cells into ``width`` columns; 0 says that nothing wraps.

    A table that cannot be so narrow without breaking words is as wide as it must be.
    """
    out = StringIO()
    console = Console(
        file=out,
        width=width or _UNWRAPPED,
        force_terminal=color,
        no_color=not color,
        soft_wrap=True,
        highlight=False,
    )
    for part in parts:
        if width and isinstance(part, Table):
            console.width = max(width, _folded(part, width))
        console.print(part, soft_wrap=isinstance(part, Text))
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _folded(part: Table, width: int) -> int:
    """Set how wide the columns of a table are, and return how wide it is then.

    Each gets what its words need, and then an equal part of what is left, or as much of that as it can use. The
    library's own way may leave a table that is wider than its terminal, and then cuts the text.
    """
    least = [column.min_width or 0 for column in part.columns]
    wanted = [max(map(_widest, (column.header, *column.cells))) for column in part.columns]
    wanted = [max(pair) for pair in zip(least, wanted, strict=True)]
    gaps = _GAP * (len(part.columns) - 1)
    room = max(0, width - gaps - sum(least))
    for left, at in enumerate(sorted(range(len(least)), key=lambda each: wanted[each] - least[each])):
        more = min(wanted[at] - least[at], room // (len(least) - left))
        part.columns[at].width = least[at] + more
        room -= more
    return gaps + sum(column.width or 0 for column in part.columns)


def _widest(cell: object) -> int:
    """Return how wide a cell is when nothing in it is folded."""
    return max((cell_len(line) for line in str(cell).splitlines()), default=0)


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    """Make a table; cells that are a word of verdicts, states or impacts get its colour."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    rows = tuple(rows)
    for at, column in enumerate(columns):
        made.add_column(column, overflow="fold", min_width=_longest_word((column, *(row[at] for row in rows))))
    for row in rows:
        made.add_row(*(Text(cell, style=STYLES.get(cell, "")) for cell in row))
    return made


def _longest_word(cells: Iterable[str]) -> int:
    """Return how wide a column has to be so that folding breaks no word; very long ones are broken all the same."""
    return min(_LONG, max((len(word) for cell in cells for word in cell.split()), default=0))


def filled(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Table:
    """Make a table without the columns in which no row says anything."""
    rows = tuple(rows)
    said = [at for at in range(len(columns)) if any(row[at] for row in rows)]
    return table(tuple(columns[at] for at in said), (tuple(row[at] for at in said) for row in rows))

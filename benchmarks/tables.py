"""Tables of figures: one form for the screen (Markdown) and one for programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from measure import Spread

Cell = Spread | float | int | str | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the key of its cells, its heading with the unit, and how many decimals are honest."""

    key: str
    heading: str
    decimals: int = 0


@dataclass(slots=True)
class Table:
    """Rows by column key; a cell that is None was not measured.

    ``notes`` are sentences under the table; ``failures`` say which command did not do what it should have.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: list[dict[str, Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """Return the table as Markdown whose columns line up in plain text too."""
        words = [*(f"- {note}" for note in self.notes), *(f"- FAILED: {each}" for each in self.failures)]
        return "\n".join([f"## {self.title}", "", *self._lines(), *words])

    def _lines(self) -> list[str]:
        if not self.rows:
            return []
        head = [column.heading for column in self.columns]
        body = [[_cell(row.get(column.key), column.decimals) for column in self.columns] for row in self.rows]
        widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
        lines = [_line(head, widths), _line(["-" * width for width in widths], widths)]
        return [*lines, *(_line(row, widths) for row in body), ""]

    def data(self) -> dict[str, object]:
        """Return the table as plain values for JSON; spreads as objects, unrounded."""
        rows = [
            {key: asdict(cell) if isinstance(cell, Spread) else cell for key, cell in row.items()} for row in self.rows
        ]
        units = {column.key: column.heading for column in self.columns}
        words = {"notes": self.notes, "failures": self.failures}
        return {"name": self.name, "title": self.title, "columns": units, "rows": rows} | words


def _line(cells: Iterable[str], widths: Iterable[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"


def _cell(value: Cell, decimals: int) -> str:
    match value:
        case None:
            return "-"
        case Spread(median, least, largest, runs):
            one = f"{median:.{decimals}f}"
            return one if runs == 1 else f"{one} ({least:.{decimals}f}-{largest:.{decimals}f})"
        case float():
            return f"{value:.{decimals}f}"
        case _:
            return str(value)

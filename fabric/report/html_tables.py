"""Tables of a page. Without its script they are complete; the script adds a filter and sorting to each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fabric.ranges import count
from fabric.report.html_builder import Child, Raw, joined, tag
from fabric.report.words import WORDS

# More rows than this no browser sorts while one waits, and no person reads.
MOST = 3000

Cells: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table to show: what it is called, its columns, its rows, and what there is to say below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Cells, ...]
    note: str = ""


def section(table: Table, number: int) -> Raw:
    """Show a table under its title; without rows, say so. Columns in which no row says anything are left out."""
    head = tag("h2", table.title, " ", tag("span", count_of(table), class_="count"), id=f"table-{number}")
    note = tag("p", table.note, class_="note") if table.note else None
    if not table.rows:
        return tag("section", head, tag("p", "None.", class_="none"), note, aria_labelledby=f"table-{number}")
    said = [at for at in range(len(table.columns)) if any(row[at] for row in table.rows)]
    header = tag("tr", joined(tag("th", table.columns[at], scope="col") for at in said))
    body = joined(_row([row[at] for at in said]) for row in table.rows[:MOST])
    left = len(table.rows) - MOST
    more = (
        tag("p", f"{left:,} more rows are not shown here; --format json has them.", class_="note") if left > 0 else None
    )
    grid = tag("table", tag("thead", header), tag("tbody", body), aria_labelledby=f"table-{number}")
    return tag("section", head, tag("div", grid, class_="scroll"), more, note, aria_labelledby=f"table-{number}")


def count_of(table: Table) -> str:
    """Say how many rows a table has."""
    return count(len(table.rows), "row")


def badge(word: str) -> Child:
    """Show a word of verdicts, states and impacts in its colour; any other text as it is."""
    return tag("span", word, class_=f"badge {WORDS[word].value}") if word in WORDS else word


def paired(rows: Iterable[tuple[str, str]]) -> Raw:
    """Show words with their values, as a list of descriptions."""
    return tag("dl", joined(tag("div", tag("dt", word), tag("dd", value)) for word, value in rows), class_="totals")


def _row(cells: Cells) -> Raw:
    return tag("tr", joined(tag("td", badge(cell)) for cell in cells))

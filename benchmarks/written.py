"""What is kept of a run: its tables in results.md, each in place of the one of the same title, and the chart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from chart import Panel, svg
from scale import COMMANDS, number
from tables import Table

_HERE = Path(__file__).parent
RESULTS = _HERE / "results.md"
CHART = _HERE / "growth.svg"
_SECTION = re.compile(r"^### (.+)$", re.MULTILINE)


def write(tables: Iterable[Table], when: datetime, machine: Mapping[str, str]) -> None:
    """Write the tables into results.md, and the chart beside it when growth was measured; leave the rest as it is."""
    text = RESULTS.read_text(encoding="utf-8")
    for table in tables:
        notes = [f"measured {when:%Y-%m-%d %H:%M} UTC, {machine['cores']} cores, Python {machine['python']}"]
        picture = ""
        if table.name == "scale" and len(table.rows) > 1:
            CHART.write_text(_chart(table), encoding="utf-8")
            picture = f"\n![CPU per device and peak memory by hosts]({CHART.name})\n"
        made = Table(table.name, table.title, table.columns, table.rows, [*notes, *table.notes], table.failures)
        text = _replaced(text, table.title, f"#{made.markdown()}\n{picture}")
    RESULTS.write_text(text, encoding="utf-8")


def _replaced(text: str, title: str, section: str) -> str:
    """Return the text with the section of this title replaced, or with a new one at its end."""
    begins = [(found.start(), found[1]) for found in _SECTION.finditer(text)]
    for index, (begin, name) in enumerate(begins):
        if name == title:
            end = begins[index + 1][0] if index + 1 < len(begins) else len(text)
            return f"{text[:begin]}{section}{chr(10) if end < len(text) else ''}{text[end:]}"
    return f"{text.rstrip()}\n\n{section}"


def _chart(table: Table) -> str:
    hosts = [number(row["hosts"]) for row in table.rows]
    panels = [
        Panel(title, "hosts", hosts, {name: [number(row[f"{name}_{key}"]) for row in table.rows] for name in COMMANDS})
        for title, key in (("user CPU per device, ms", "ms"), ("peak memory, MiB", "mib"))
    ]
    return svg(panels)

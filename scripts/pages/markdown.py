"""Parts of a page: the page itself, tables, links to headings."""

from __future__ import annotations

import re
from collections.abc import Iterable

NOTE = "<!-- Written by scripts/docs.py from the code; change it there. -->\n"


def page(title: str, about: str, *parts: str) -> str:
    """Put a page together."""
    return "\n".join((f"{NOTE}# {title}\n", f"{about}\n", *parts))


def table(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table."""
    heads = tuple(titles)
    lines = (heads, ("---",) * len(heads), *rows)
    escaped = ((cell.replace("|", r"\|") for cell in row) for row in lines)
    return "".join(f"| {' | '.join(row)} |\n" for row in escaped)


def anchor(heading: str) -> str:
    """Return the anchor that a heading gets."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower())


def link(heading: str, page_name: str = "") -> str:
    """Return a link to a heading, of the same page unless one is named."""
    return f"[{heading}]({page_name}#{anchor(heading)})"


def code(texts: Iterable[str]) -> str:
    """Return words as code, with commas between."""
    return ", ".join(f"`{text}`" for text in texts)

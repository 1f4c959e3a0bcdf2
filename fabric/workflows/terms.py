"""Terms: words of the field and of this program, a page each under ``terms/``; the place is the registration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGES = Path(__file__).with_name("terms")
_LINK = re.compile(r"^(Also|Keys|Judged by|See): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Term:
    """A word: its page, other words for it, and what belongs to it: keys of the file, rules and checks, other terms.

    ``judged_by`` holds ids or patterns of rules and checks.
    """

    name: str
    title: str
    text: str
    also: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    judged_by: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


@cache
def terms() -> tuple[Term, ...]:
    """Return every term in order of names."""
    return tuple(term_of(path.stem, path.read_text(encoding="utf-8")) for path in sorted(PAGES.glob("*.md")))


def term_of(name: str, text: str) -> Term:
    """Make the term of a page: a title, paragraphs, and lines that say what belongs to it."""
    title, _, body = text.partition("\n")
    links = {kind: tuple(part.strip() for part in found.split(",")) for kind, found in _LINK.findall(body)}
    return Term(
        name,
        title.removeprefix("# ").strip(),
        _LINK.sub("", body).strip(),
        links.get("Also", ()),
        links.get("Keys", ()),
        links.get("Judged by", ()),
        links.get("See", ()),
    )


def by_word() -> Mapping[str, Term]:
    """Return terms under every word for them, in the spelling of `plain`; a name goes before another word for it."""
    also = {plain(word): term for term in terms() for word in term.also}
    return also | {plain(word): term for term in terms() for word in (term.title, term.name)}


def plain(word: str) -> str:
    """Return a word as it is looked up: small letters, and nothing between its parts."""
    return re.sub(r"[\s_.-]+", "", word).lower()

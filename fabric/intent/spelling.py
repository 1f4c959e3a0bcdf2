"""Which allowed word a mistyped one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 64


def nearest(found: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word that is spelt most alike, or ``None`` when none is near."""
    if len(found) > _LONGEST:  # no word of the language is that long, and comparing costs its square
        return None
    by_folded = {_folded(word): word for word in sorted(allowed)}
    close = get_close_matches(_folded(found), by_folded, n=1)
    return by_folded[close[0]] if close else None


def choices(meant: str | None, allowed: Iterable[str]) -> str:
    """Say which word was probably meant and which are allowed."""
    start = f"did you mean {meant}? " if meant is not None else ""
    offered = ", ".join(sorted(allowed))
    return start + (f"allowed here: {offered}" if offered else "nothing is allowed here")


def _folded(word: str) -> str:
    return word.lower().replace("-", "_")

"""Called: what to say of a name that no node has."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def meant(name: str, nodes: Iterable[tuple[str, str]], otherwise: str) -> str:
    """Return a hint: what the node in the place of this name is called, or names spelt alike, or something else.

    ``nodes`` are their names, each with its place.
    """
    names: dict[str, str] = {}
    for real, place in nodes:
        if place == name:
            return f"the node in this place is called {real}: nodes.{name}.name"
        names[real.lower()] = real
    near = [names[each] for each in get_close_matches(name.lower(), names, n=3)]
    return f"did you mean {' or '.join(near)}?" if near else otherwise

"""What is joined, directly or in turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def joined(pairs: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return each name of pairs with the one that stands for all that it is joined with.

    A name that is paired with itself alone stands for itself.
    """
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (higher := above.setdefault(name, name)) != name:
            above[name] = above[higher]
            name = higher
        return name

    for one, other in pairs:
        above[top(other)] = top(one)
    return {name: top(name) for name in above}

"""Natural order: swp2 comes before swp10."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

Row = TypeVar("Row")

_DIGITS = re.compile(r"(\d+)")


def natural(text: str) -> tuple[tuple[str, int], ...]:
    """Return a sort key under which numbers inside a text count as numbers."""
    parts = _DIGITS.split(text)
    numbers = [*map(int, parts[1::2]), -1]
    return tuple(zip(parts[::2], numbers, strict=True))


def sorted_rows(rows: Mapping[str, Row]) -> Mapping[str, Row]:
    """Return rows in natural order of their keys, not to be changed."""
    return MappingProxyType({key: rows[key] for key in _ordered(tuple(rows))})


@lru_cache(maxsize=256)
def _ordered(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return keys in natural order; kept, for most facets of most nodes have the same keys."""
    return tuple(sorted(keys, key=natural))

"""Deltas in words, the same in plans, verdicts and errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final

from fabric.changes.delta import RowDelta
from fabric.settings.facet import Absent
from fabric.settings.persistence import Persistence
from fabric.units import format_bytes, format_duration, format_speed

_UNITS: Final[Mapping[str, Callable[[Any], str]]] = {
    "speed": format_speed,
    "limit": format_speed,
    "kmin": format_bytes,
    "kmax": format_bytes,
    "size": format_bytes,
    "xoff": format_bytes,
    "headroom": format_bytes,
    "pmax": "{:g}%".format,
    "detect": format_duration,
    "restore": format_duration,
}


def words(row: RowDelta) -> str:
    """Say in one line what of a row differs: ``mtu 1500 -> 9000``, ``+ asn 65101, ...`` or ``- table 101``."""
    if row.facet == Persistence.name:
        return "to be saved"
    if row.now is None:
        return f"+ {row_words(row.wanted)}".rstrip()
    if row.wanted is None:
        return f"- {row_words(row.now)}".rstrip()
    return _changed(row.now, row.wanted, row.fields)


def grouped(rows: Iterable[RowDelta]) -> Iterator[tuple[str, str, str]]:
    """Yield (facet, keys, words), rows of one facet that say the same in one line; of saved things the file only."""
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        key = row.key.partition(" ")[0] if row.facet == Persistence.name else row.key
        groups.setdefault((row.facet, words(row)), {})[key] = None
    for (facet, said), keys in groups.items():
        yield facet, ", ".join(keys), said


# Rows are values, and most ports of a fabric have equal ones: each is put in words once.
@lru_cache(maxsize=4096, typed=True)
def row_words(row: object) -> str:
    """Say in one line what a row holds; what says nothing is left out: absent, none, an empty list."""
    return _spelled(row)


def _spelled(row: object) -> str:
    if not is_dataclass(row):
        return str(row)
    shown = ((field.name, getattr(row, field.name)) for field in fields(row))
    return ", ".join(f"{name} {_value(name, value)}" for name, value in shown if not _silent(value))


@lru_cache(maxsize=4096)
def _changed(now: object, wanted: object, differing: tuple[str, ...]) -> str:
    return ", ".join(_change(name, getattr(now, name), getattr(wanted, name)) for name in differing)


def _silent(value: object) -> bool:
    return value is None or isinstance(value, Absent) or value == ()


def _change(name: str, now: object, wanted: object) -> str:
    if isinstance(now, tuple) and isinstance(wanted, tuple) and len(now) == len(wanted) and _is_numbers(now + wanted):
        differing = [f"{i}: {a} -> {b}" for i, (a, b) in enumerate(zip(now, wanted, strict=True)) if a != b]
        return f"{name} {'; '.join(differing)}"
    return f"{name} {_value(name, now)} -> {_value(name, wanted)}"


def _value(name: str, value: object) -> str:
    """Write a value; speeds and thresholds with their units, which their names imply."""
    if isinstance(value, Absent) or value is None:
        return "none" if value is None else "absent"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and name in _UNITS:
        return _UNITS[name](value)
    if isinstance(value, frozenset):
        return " ".join(str(item) for item in sorted(value)) or "none"
    if isinstance(value, tuple):
        return _indexed(value) if _is_numbers(value) else " ".join(_value(name, item) for item in value) or "none"
    return f"({_spelled(value)})" if is_dataclass(value) else str(value)


def _is_numbers(value: tuple[object, ...]) -> bool:
    return len(value) > 4 and all(isinstance(item, int) for item in value)


def _indexed(value: tuple[object, ...]) -> str:
    """Write a table by index: ``10: 1, 26: 3, else 0``."""
    usual = Counter(value).most_common(1)[0][0]
    special = [f"{index}: {item}" for index, item in enumerate(value) if item != usual]
    return ", ".join([*special, f"else {usual}"]) if special else f"all {usual}"

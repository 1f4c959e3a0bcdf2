"""Deltas in words, the same in plans, verdicts and errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import zip_longest

from fabric.changes.delta import RowDelta
from fabric.settings.facet import Absent
from fabric.units import format_bytes, format_speed

_UNITS = {"speed": format_speed, "limit": format_speed, "kmin": format_bytes, "kmax": format_bytes}


def words(row: RowDelta) -> str:
    """Say in one line what of a row differs: ``mtu 1500 -> 9000``, ``+ asn 65101, ...`` or ``- table 101``."""
    if row.now is None:
        return f"+ {row_words(row.wanted)}".rstrip()
    if row.wanted is None:
        return f"- {row_words(row.now)}".rstrip()
    return ", ".join(_field(name, getattr(row.now, name), getattr(row.wanted, name)) for name in row.fields)


def grouped(rows: Iterable[RowDelta]) -> Iterator[tuple[str, str, str]]:
    """Yield (facet, keys, words), rows of one facet that say the same in one line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        groups.setdefault((row.facet, words(row)), []).append(row.key)
    for (facet, said), keys in groups.items():
        yield facet, ", ".join(keys), said


def row_words(row: object) -> str:
    """Say in one line what a row holds; absent fields are left out."""
    if not is_dataclass(row):
        return str(row)
    shown = ((f.name, getattr(row, f.name)) for f in fields(row))
    return ", ".join(f"{name} {_written(name, value)}" for name, value in shown if not _silent(value))


def _silent(value: object) -> bool:
    """Tell whether a value says nothing in a listing: absent, or an empty list."""
    return isinstance(value, Absent) or value == ()


def _written(name: str, value: object) -> str:
    """Write a value; speeds and thresholds with their units, which their names imply."""
    if isinstance(value, int) and name in _UNITS:
        return _UNITS[name](value)
    return _value(value)


def _field(name: str, now: object, wanted: object) -> str:
    if isinstance(now, tuple) and isinstance(wanted, tuple):
        return f"{name} {_positions(now, wanted)}"
    return f"{name} {_written(name, now)} -> {_written(name, wanted)}"


def _positions(now: tuple[object, ...], wanted: tuple[object, ...]) -> str:
    """Say at which positions two tuples differ."""
    pairs = enumerate(zip_longest(now, wanted))
    differing = [f"{i}: {_value(a)} -> {_value(b)}" for i, (a, b) in pairs if a != b]
    return "; ".join(differing)


def _value(value: object) -> str:
    if isinstance(value, Absent) or value is None:
        return "none" if value is None else "absent"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return " ".join(str(item) for item in sorted(value)) or "none"
    if isinstance(value, tuple):
        return _tuple(value)
    if is_dataclass(value):
        return f"({row_words(value)})"
    return str(value)


def _tuple(value: tuple[object, ...]) -> str:
    """Shorten runs: ``0 x26, 3, 0 x37``; dataclasses stand one after another."""
    runs: list[tuple[str, int]] = []
    for item in map(_value, value):
        if runs and runs[-1][0] == item:
            runs[-1] = (item, runs[-1][1] + 1)
        else:
            runs.append((item, 1))
    return ", ".join(text if count == 1 else f"{text} x{count}" for text, count in runs)

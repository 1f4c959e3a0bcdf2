"""Units: quantities as users write them, to integers whose unit the name says, and back.

Bare numbers are accepted where the key names the unit; everything else needs a written unit.
"""

from __future__ import annotations

import re
from fractions import Fraction

_BYTES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
_SPEED = {"M": 10**6, "G": 10**9, "T": 10**12}
_MILLISECONDS = {"ms": 1, "s": 1000}
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z%]*)")


def _split(text: object, example: str) -> tuple[Fraction, str]:
    found = _NUMBER.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or not found[2]:
        raise ValueError(f"a quantity with its unit is wanted, such as {example}")
    return Fraction(found[1]), found[2]


def _whole(number: Fraction, unit: int | None, allowed: str) -> int:
    if unit is None:
        raise ValueError(f"unknown unit; allowed: {allowed}")
    value = number * unit
    if value.denominator != 1:
        raise ValueError("the quantity is not a whole number of its smallest unit")
    return int(value)


def parse_bytes(text: object) -> int:
    """Return the bytes of ``150KB`` (1000) or ``2MiB`` (1024); ValueError otherwise."""
    if isinstance(text, int) and not isinstance(text, bool) and text == 0:
        return 0
    number, unit = _split(text, "150KB or 2MiB")
    return _whole(number, _BYTES.get(unit.upper()), "B KB MB GB KiB MiB GiB")


def parse_speed(text: object) -> int:
    """Return the bit/s of ``400G``; ValueError otherwise."""
    number, unit = _split(text, "400G")
    return _whole(number, _SPEED.get(unit), "M G T")


def parse_duration(text: object) -> int:
    """Return the milliseconds of ``200ms`` or ``2s``; ValueError otherwise."""
    number, unit = _split(text, "200ms")
    return _whole(number, _MILLISECONDS.get(unit), "ms s")


def parse_percent(text: object) -> float:
    """Return the percent of ``5%`` as a number from 0 to 100; ValueError otherwise."""
    number, unit = _split(text, "60%")
    if unit != "%" or number > 100:
        raise ValueError("a percentage from 0% to 100% is wanted, such as 60%")
    return float(number)


def parse_alpha(text: object) -> Fraction:
    """Return a dynamic threshold such as ``1/8``, ``0.5`` or ``4``; ValueError otherwise."""
    try:
        value = Fraction(str(text)) if not isinstance(text, bool) else Fraction(0)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0:
        raise ValueError("a ratio above 0 is wanted, such as 1/8 or 2")
    return value


def format_bytes(octets: int) -> str:
    """Write bytes in the largest decimal unit that is exact: ``150KB``."""
    return _largest(octets, (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)), "B")


def format_speed(bits: int) -> str:
    """Write bit/s in the largest unit that is exact: ``400G``."""
    return _largest(bits, (("T", 10**12), ("G", 10**9), ("M", 10**6)), "bit/s") if bits else "0"


def _largest(value: int, units: tuple[tuple[str, int], ...], base: str) -> str:
    for unit, size in units:
        if value >= size and value % size == 0:
            return f"{value // size}{unit}"
    return f"{value}{base}"

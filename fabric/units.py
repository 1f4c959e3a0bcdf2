"""Units: quantities as users write them, to integers whose unit the name says, and back.

Bare numbers are accepted where the key names the unit; everything else needs a written unit. The texts of
the ValueErrors are shown to the user behind the path of the key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

_BYTES: Final = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
_BYTES_ALLOWED: Final = "B KB MB GB KiB MiB GiB"
_SPEED: Final = {"M": 10**6, "G": 10**9, "T": 10**12}
_MILLISECONDS: Final = {"ms": 1, "s": 1000}
_NANOSECONDS: Final = {"ns": 1, "us": 10**3, "ms": 10**6}
_METRES_PER_SECOND: Final = {"m/s": 1, "km/s": 1000}

# Digits are ASCII and few: a longer number is no quantity of a network, and would only cost time.
MEGABIT: Final = 10**6
"""bit/s of 1 Mbit/s, the unit in which drivers of NICs give rates."""
BYTES_PATTERN: Final = r"^[0-9]{1,15}(\.[0-9]{1,9})? ?([KMGkmg][Ii]?)?B$"
SPEED_PATTERN: Final = r"^[0-9]{1,15}(\.[0-9]{1,9})? ?[MGT]$"
LATENCY_PATTERN: Final = r"^[0-9]{1,15}(\.[0-9]{1,9})? ?(ns|us|ms)$"
VELOCITY_PATTERN: Final = r"^[0-9]{1,15}(\.[0-9]{1,9})? ?k?m/s$"
DURATION_PATTERN: Final = r"^[0-9]{1,15}(\.[0-9]{1,9})? ?(ms|s)$"
PERCENT_PATTERN: Final = r"^0{0,9}(100(\.0{1,9})?|[0-9]{1,2}(\.[0-9]{1,9})?) ?%$"
ALPHA_PATTERN: Final = r"^[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,9})?$"

_NUMBER: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([A-Za-z%/]*)")
_ALPHA: Final = re.compile(ALPHA_PATTERN)
_LARGEST_ALPHA: Final = 1024
_LARGEST: Final = 2**63 - 1


def _split(text: object, example: str) -> tuple[Fraction, str]:
    found = _NUMBER.fullmatch(text) if isinstance(text, str) else None
    if found is None or not found[2]:
        raise ValueError(f"a quantity with its unit is wanted, such as {example}")
    return Fraction(found[1]), found[2]


def _whole(number: Fraction, unit: str, units: Mapping[str, int], allowed: str) -> int:
    size = units.get(unit)
    if size is None:
        raise ValueError(f"unknown unit {unit}; allowed: {allowed}")
    value = number * size
    if value.denominator != 1:
        raise ValueError("the quantity is not a whole number of its smallest unit")
    if value > _LARGEST:
        raise ValueError("the quantity is too large")
    return int(value)


def _part(text: object, example: str, units: Mapping[str, int], allowed: str) -> Fraction:
    """Return a quantity in the unit of which the others are multiples; it need not be a whole number."""
    number, unit = _split(text, example)
    if unit not in units:
        raise ValueError(f"unknown unit {unit}; allowed: {allowed}")
    return number * units[unit]


def parse_bytes(text: object) -> int:
    """Return the bytes of ``150KB`` (1000) or ``2MiB`` (1024); a bare 0 needs no unit; ValueError otherwise.

    The multiple may be in small letters; the B may not, as ``Kb`` is how kilobits are written.
    """
    if isinstance(text, int) and not isinstance(text, bool) and text == 0:
        return 0
    number, unit = _split(text, "150KB or 2MiB")
    known = unit.upper()
    if known in _BYTES and not unit.endswith("B"):
        bytes_ = next(name for name in _BYTES_ALLOWED.split() if name.upper() == known)
        raise ValueError(f"{unit} may be read as bits; for bytes write {bytes_}")
    return _whole(number, known if known in _BYTES else unit, _BYTES, _BYTES_ALLOWED)


def parse_speed(text: object) -> int:
    """Return the bit/s of ``400G``; ValueError otherwise."""
    number, unit = _split(text, "400G")
    return _whole(number, unit, _SPEED, "M G T")


def parse_duration(text: object) -> int:
    """Return the milliseconds of ``200ms`` or ``2s``; ValueError otherwise."""
    number, unit = _split(text, "200ms")
    return _whole(number, unit, _MILLISECONDS, "ms s")


def parse_latency(text: object) -> float:
    """Return the nanoseconds of ``2.25us`` or ``120ns``; ValueError otherwise."""
    return float(_part(text, "2.25us or 120ns", _NANOSECONDS, "ns us ms"))


def parse_velocity(text: object) -> float:
    """Return the m/s of ``198000km/s``; ValueError otherwise."""
    return float(_part(text, "198000km/s", _METRES_PER_SECOND, "m/s km/s"))


def parse_percent(text: object) -> float:
    """Return the percent of ``5%`` as a number from 0 to 100; ValueError otherwise."""
    number, unit = _split(text, "60%")
    if unit != "%" or number > 100:
        raise ValueError("a percentage from 0% to 100% is wanted, such as 60%")
    return float(number)


def parse_alpha(text: object) -> Fraction:
    """Return a dynamic threshold such as ``1/8``, ``0.5`` or ``4``, above 0 and at most 1024; ValueError otherwise."""
    plain = str(text) if isinstance(text, str | int | float) and not isinstance(text, bool) else ""
    zero = Fraction(0)
    try:
        # The pattern comes first: Fraction itself would also take 1e999999999, and compute it.
        value = Fraction(plain) if _ALPHA.fullmatch(plain) else zero
    except ZeroDivisionError:
        value = zero
    if not zero < value <= _LARGEST_ALPHA:
        raise ValueError(f"a ratio above 0 and at most {_LARGEST_ALPHA} is wanted, such as 1/8 or 2")
    return value


def format_bytes(octets: int) -> str:
    """Write bytes in the exact unit with the fewest digits, decimal before binary: ``150KB``, ``32MiB``."""
    decimal = _largest(octets, (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)), "B")
    binary = _largest(octets, (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)), "B")
    return min(decimal, binary, key=lambda text: len(text.rstrip("KMGiB")))


def megabytes(octets: float) -> str:
    """Write about how many bytes: ``55.6 MB`` (of 10^6), for sizes of buffers and pools."""
    return f"{octets / 10**6:.1f} MB"


def format_speed(bits: int) -> str:
    """Write bit/s in the largest unit that is exact: ``400G``."""
    return _largest(bits, (("T", 10**12), ("G", 10**9), ("M", 10**6)), "bit/s") if bits else "0"


def format_duration(milliseconds: int) -> str:
    """Write milliseconds in the largest unit that is exact: ``200ms``, ``2s``."""
    return _largest(milliseconds, (("s", 1000),), "ms")


def _largest(value: int, units: tuple[tuple[str, int], ...], base: str) -> str:
    for unit, size in units:
        if abs(value) >= size and value % size == 0:
            return f"{value // size}{unit}"
    return f"{value}{base}"

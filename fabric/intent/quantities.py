"""The types of single values of the intent file: each with its check, its words, and its JSON Schema.

Every check is one function that raises one ValueError in the user's words, so that no type of the library
that drives them shows through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema

from fabric.units import (
    ALPHA_PATTERN,
    BYTES_PATTERN,
    DURATION_PATTERN,
    PERCENT_PATTERN,
    SPEED_PATTERN,
    parse_alpha,
    parse_bytes,
    parse_duration,
    parse_percent,
    parse_speed,
)

Auto: TypeAlias = Literal["auto"]
Value = TypeVar("Value")

_DSCP_RANGE: Final = re.compile(r"([0-9]{1,2})(?: ?- ?([0-9]{1,2}))?")
_DSCP_WANTED: Final = "a DSCP from 0 to 63 is wanted: one, a list, or a range such as 0-7"
_THRESHOLDS_WANTED: Final = "a size is wanted, such as 150KB, or one per speed, such as {100G: 150KB, 400G: 600KB}"


def _or_auto(parse: Callable[[object], Value], kind: str) -> Callable[[object], Value | Auto]:
    def check(found: object) -> Value | Auto:
        if found == "auto":
            return "auto"
        try:
            return parse(found)
        except ValueError as problem:
            raise ValueError(str(problem) if isinstance(found, dict) else f"{problem}; or: auto") from None

    check.__name__ = f"{kind}_or_auto"
    return check


def _positive_speed(found: object) -> int:
    speed = parse_speed(found)
    if speed == 0:
        raise ValueError("a speed above 0 is wanted, such as 400G")
    return speed


def _limit(found: object) -> int:
    """Return a speed that every system keeps exactly: a whole number of Mbit/s."""
    speed = _positive_speed(found)
    if speed % 10**6:
        raise ValueError("a whole number of Mbit/s is wanted, such as 500M")
    return speed


def _positive_duration(found: object) -> int:
    duration = parse_duration(found)
    if duration == 0:
        raise ValueError("a time above 0 is wanted, such as 200ms")
    return duration


def _whole_percent(found: object) -> int:
    percent = parse_percent(found)
    if not percent.is_integer():
        raise ValueError("a whole percentage is wanted, such as 60%")
    return int(percent)


def _only_true(found: object) -> bool:
    if found is not True:
        raise ValueError("only true means something here")
    return True


def _lengths(found: object) -> tuple[int, ...]:
    """Return prefix lengths, one for each pool."""
    lengths = tuple(found) if isinstance(found, list | tuple) else (found,)
    if not 1 <= len(lengths) <= 2 or not all(type(one) is int and 1 <= one <= 127 for one in lengths):
        raise ValueError("a prefix length is wanted, such as 26, or one for each pool, such as [26, 64]")
    return lengths


def _threshold(found: object) -> int | Mapping[int, int]:
    """Return bytes, or bytes per speed in bit/s."""
    if not isinstance(found, dict):
        return parse_bytes(found)
    if not found:
        raise ValueError(_THRESHOLDS_WANTED)
    sizes: dict[int, int] = {}
    for speed, size in found.items():
        try:
            sizes[_positive_speed(speed)] = parse_bytes(size)
        except ValueError as problem:
            raise ValueError(f"at {str(speed)[:20]!r}: {problem}") from None
    if len(sizes) != len(found):
        raise ValueError("a speed is given twice")
    return MappingProxyType(dict(sorted(sizes.items())))


def parse_dscps(found: object) -> tuple[int, ...]:
    """Return the sorted DSCPs of ``26``, ``"0-7"`` or a list of both, each once; ValueError otherwise."""
    if isinstance(found, list | tuple):
        if not found:
            raise ValueError(_DSCP_WANTED)
        return tuple(sorted({dscp for one in found for dscp in _dscp_range(one)}))
    return tuple(_dscp_range(found))


def format_dscps(dscps: tuple[int, ...]) -> str:
    """Write sorted DSCPs as users do: ``0-7, 26``."""
    starts = [dscp for dscp in dscps if dscp - 1 not in dscps]
    ends = [dscp for dscp in dscps if dscp + 1 not in dscps]
    pairs = zip(starts, ends, strict=True)
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)


def _dscp_range(found: object) -> range:
    text = str(found) if isinstance(found, int | str) and not isinstance(found, bool) else ""
    match = _DSCP_RANGE.fullmatch(text)
    if match is None:
        raise ValueError(_DSCP_WANTED)
    first, last = int(match[1]), int(match[2] or match[1])
    if last > 63 or first > last:
        raise ValueError(_DSCP_WANTED)
    return range(first, last + 1)


def _quantity(pattern: str, example: str, description: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example], "description": description})


_BYTES_SCHEMA: Final[dict[str, object]] = {
    "anyOf": [{"type": "string", "pattern": BYTES_PATTERN, "examples": ["150KB", "2MiB"]}, {"const": 0}],
    "description": "bytes with a unit",
}
_LENGTH: Final[dict[str, object]] = {"type": "integer", "minimum": 1, "maximum": 127}
_AUTO: Final[dict[str, object]] = {"const": "auto"}
_ONE_DSCP: Final[list[dict[str, object]]] = [
    {"type": "integer", "minimum": 0, "maximum": 63},
    {"type": "string", "pattern": r"^(6[0-3]|[0-5]?[0-9])( ?- ?(6[0-3]|[0-5]?[0-9]))?$", "examples": ["0-7"]},
]

Whole: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Yes: TypeAlias = Annotated[bool, PlainValidator(_only_true), WithJsonSchema({"const": True})]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=100000)]
Nics: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=128)]  # each has a routing table; a system has 252 free
Few: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=256)]
Octal: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=7)]
Dscp: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=63)]
AsNumber: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=4294967294)]
TcpPort: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=65535)]
IpMtu: TypeAlias = Annotated[int, Field(strict=True, ge=1280, le=65535)]
VlanId: TypeAlias = Annotated[int, Field(strict=True, ge=2, le=4094)]
Vni: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=2**24 - 1)]
Ratio: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=64)]
Metres: TypeAlias = Annotated[float, Field(strict=True, gt=0, le=100000)]

BytesOrAuto: TypeAlias = Annotated[
    int | Auto,
    PlainValidator(_or_auto(parse_bytes, "bytes")),
    WithJsonSchema({"anyOf": [_BYTES_SCHEMA, _AUTO]}),
]
Bytes: TypeAlias = Annotated[int, PlainValidator(parse_bytes), WithJsonSchema(_BYTES_SCHEMA)]
Lengths: TypeAlias = Annotated[
    tuple[int, ...],
    PlainValidator(_lengths),
    WithJsonSchema({"anyOf": [_LENGTH, {"type": "array", "minItems": 1, "maxItems": 2, "items": _LENGTH}]}),
]
Threshold: TypeAlias = Annotated[
    int | Mapping[int, int] | Auto,
    PlainValidator(_or_auto(_threshold, "threshold")),
    WithJsonSchema(
        {
            "anyOf": [
                _BYTES_SCHEMA,
                {
                    "type": "object",
                    "minProperties": 1,
                    "patternProperties": {SPEED_PATTERN: _BYTES_SCHEMA},
                    "additionalProperties": False,
                },
                _AUTO,
            ]
        }
    ),
]
Speed: TypeAlias = Annotated[
    int, BeforeValidator(_positive_speed), _quantity(SPEED_PATTERN, "400G", "bit/s with a unit")
]
Limit: TypeAlias = Annotated[
    int, BeforeValidator(_limit), _quantity(SPEED_PATTERN, "10G", "bit/s with a unit, in whole Mbit/s")
]
Milliseconds: TypeAlias = Annotated[
    int, BeforeValidator(_positive_duration), _quantity(DURATION_PATTERN, "200ms", "a time with a unit")
]
Share: TypeAlias = Annotated[
    int, BeforeValidator(_whole_percent), _quantity(r"^(100|[0-9]{1,2})(\.0{1,9})? ?%$", "60%", "a whole percentage")
]
PercentOrAuto: TypeAlias = Annotated[
    float | Auto,
    PlainValidator(_or_auto(parse_percent, "percent")),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": PERCENT_PATTERN, "examples": ["5%"]}, _AUTO]}),
]
Alpha: TypeAlias = Annotated[
    Fraction,
    BeforeValidator(parse_alpha),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": ALPHA_PATTERN, "examples": ["1/8"]},
                {"type": "number", "exclusiveMinimum": 0, "maximum": 1024},
            ]
        }
    ),
]
Dscps: TypeAlias = Annotated[
    tuple[int, ...],
    PlainValidator(parse_dscps),
    WithJsonSchema({"anyOf": [*_ONE_DSCP, {"type": "array", "minItems": 1, "items": {"anyOf": _ONE_DSCP}}]}),
]

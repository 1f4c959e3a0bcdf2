"""The types of single values of the intent file: each with its check, its words, and its JSON Schema.

Every check is one function that raises one ValueError in the user's words, so that no type of the library
that drives them shows through.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from ipaddress import AddressValueError, IPv4Network, NetmaskValueError
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, WithJsonSchema

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

NAME_PATTERN: Final = r"^[a-z][a-z0-9-]{0,30}$"
_WORD_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9 ._+/-]{0,63}$"
_INTERFACE_PATTERN: Final = r"^(?!lo$)[A-Za-z0-9][A-Za-z0-9._-]{0,14}$"
_USER_PATTERN: Final = r"^[A-Za-z_][A-Za-z0-9_.@-]{0,63}$"
_HOST_PATTERN: Final = r"^([A-Za-z0-9]|\{name\})([A-Za-z0-9._:-]|\{name\}){0,252}$"
_PREFIX_PATTERN: Final = r"^[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}$"
# Prefixes of which no port can have an address, by what they are for (RFC 6890).
_SPECIAL: Final = {
    "0.0.0.0/8": "this network",
    "127.0.0.0/8": "loopback inside a host",
    "169.254.0.0/16": "link-local",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
}
_DSCP_RANGE: Final = re.compile(r"([0-9]{1,2})(?: ?- ?([0-9]{1,2}))?")
_DSCP_WANTED: Final = "a DSCP from 0 to 63 is wanted: one, a list, or a range such as 0-7"
_PREFIX_WANTED: Final = "an IPv4 prefix is wanted, such as 10.64.0.0/12"


def _text(pattern: str, wanted: str) -> Callable[[str], str]:
    matcher = re.compile(pattern)

    def check(text: str) -> str:
        # fullmatch, because a plain $ would let a final line break through
        if matcher.fullmatch(text) is None:
            raise ValueError(f"{wanted} is wanted")
        return text

    return check


def _or_auto(parse: Callable[[object], Value], kind: str) -> Callable[[object], Value | Auto]:
    def check(found: object) -> Value | Auto:
        if found == "auto":
            return "auto"
        try:
            return parse(found)
        except ValueError as problem:
            raise ValueError(f"{problem}; or: auto") from None

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


def parse_prefix(found: object) -> IPv4Network:
    """Return the network of ``10.64.0.0/12``; ValueError where it is none, has host bits set, or is not for ports."""
    if isinstance(found, IPv4Network):
        return found
    if not isinstance(found, str) or re.fullmatch(_PREFIX_PATTERN, found) is None:
        raise ValueError(_PREFIX_WANTED)
    try:
        wide = IPv4Network(found, strict=False)
    except (AddressValueError, NetmaskValueError):
        raise ValueError(_PREFIX_WANTED) from None
    if str(wide) != found:
        raise ValueError(f"the prefix has bits set behind its length; {wide} is the network")
    for special, purpose in _SPECIAL.items():
        if wide.overlaps(IPv4Network(special)):
            raise ValueError(f"no port can have an address of {special} ({purpose})")
    return wide


def _links(found: object) -> IPv4Network | Literal["unnumbered"]:
    if found == "unnumbered":
        return "unnumbered"
    try:
        return parse_prefix(found)
    except ValueError as problem:
        raise ValueError(f"{problem}; or: unnumbered") from None


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
_AUTO: Final[dict[str, object]] = {"const": "auto"}
_ONE_DSCP: Final[list[dict[str, object]]] = [
    {"type": "integer", "minimum": 0, "maximum": 63},
    {"type": "string", "pattern": r"^(6[0-3]|[0-5]?[0-9])( ?- ?(6[0-3]|[0-5]?[0-9]))?$", "examples": ["0-7"]},
]

Whole: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=100000)]
Nics: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=128)]  # each has a routing table; a system has 252 free
Few: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=256)]
Octal: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=7)]
Dscp: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=63)]
AsNumber: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=4294967294)]
TcpPort: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=65535)]
IpMtu: TypeAlias = Annotated[int, Field(strict=True, ge=1280, le=65535)]
Metres: TypeAlias = Annotated[float, Field(strict=True, gt=0, le=100000)]

Name: TypeAlias = Annotated[
    str,
    AfterValidator(_text(NAME_PATTERN, "a name of at most 31 lower-case letters, digits and hyphens, a letter first,")),
    WithJsonSchema({"type": "string", "pattern": NAME_PATTERN}),
]
Word: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_WORD_PATTERN, "a text of at most 64 letters, digits, blanks and . _ + / -")),
    WithJsonSchema({"type": "string", "pattern": _WORD_PATTERN}),
]
InterfaceName: TypeAlias = Annotated[
    str,
    AfterValidator(
        _text(_INTERFACE_PATTERN, "the name of a network device but lo, at most 15 letters, digits and . _ -")
    ),
    WithJsonSchema({"type": "string", "pattern": _INTERFACE_PATTERN}),
]
User: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_USER_PATTERN, "a user name")),
    WithJsonSchema({"type": "string", "pattern": _USER_PATTERN}),
]
HostName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(_HOST_PATTERN, "a host name or address, in which {name} stands for the node,")),
    WithJsonSchema({"type": "string", "pattern": _HOST_PATTERN}),
]
ParameterName: TypeAlias = Annotated[
    str,
    AfterValidator(_text(r"^[a-z][a-z0-9_]{0,63}$", "a parameter name of the driver's own")),
    WithJsonSchema({"type": "string", "pattern": r"^[a-z][a-z0-9_]{0,63}$"}),
]

BytesOrAuto: TypeAlias = Annotated[
    int | Auto,
    PlainValidator(_or_auto(parse_bytes, "bytes")),
    WithJsonSchema({"anyOf": [_BYTES_SCHEMA, _AUTO]}),
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
Prefix: TypeAlias = Annotated[
    IPv4Network, PlainValidator(parse_prefix), _quantity(_PREFIX_PATTERN, "10.64.0.0/12", "an IPv4 prefix")
]
Links: TypeAlias = Annotated[
    IPv4Network | Literal["unnumbered"],
    PlainValidator(_links),
    WithJsonSchema({"anyOf": [{"const": "unnumbered"}, {"type": "string", "pattern": _PREFIX_PATTERN}]}),
]
Dscps: TypeAlias = Annotated[
    tuple[int, ...],
    PlainValidator(parse_dscps),
    WithJsonSchema({"anyOf": [*_ONE_DSCP, {"type": "array", "minItems": 1, "items": {"anyOf": _ONE_DSCP}}]}),
]

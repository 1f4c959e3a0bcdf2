"""buffers.chips: constants of switch chips that the user knows better than the hardware data, or that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema

from fabric.intent.quantities import Bytes, Few, Flag, Share
from fabric.intent.strict import Strict
from fabric.units import (
    BYTES_PATTERN,
    LATENCY_PATTERN,
    SPEED_PATTERN,
    VELOCITY_PATTERN,
    format_speed,
    parse_bytes,
    parse_latency,
    parse_speed,
    parse_velocity,
)

_KIB_PATTERN: Final = r"^[0-9]{1,9}(\.[0-9]{1,9})? ?KiB$"
_RATIO_PATTERN: Final = r"^[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,9})?$"


@dataclass(frozen=True, slots=True)
class Response:
    """Until the other end has stopped: ``us`` for formulas of merchant chips, ``KiB`` for those of NVIDIA."""

    value: float
    unit: Literal["us", "KiB"]


def _some_bytes(found: object) -> int:
    size = parse_bytes(found)
    if not size:
        raise ValueError("a size above 0 is wanted, such as 254B")
    return size


def _latency(found: object) -> float:
    return parse_latency(found)


def _kib(found: object) -> float:
    """Return the KiB of ``0.8KiB``: the constants of NVIDIA are no whole numbers of bytes."""
    number = found.removesuffix("KiB").rstrip(" ") if isinstance(found, str) and found.endswith("KiB") else ""
    try:
        return float(Fraction(number))
    except (ValueError, ZeroDivisionError):
        raise ValueError("a quantity in KiB is wanted, such as 3.8KiB") from None


def _response(found: object) -> Response:
    if isinstance(found, str) and found.endswith("B"):
        return Response(_kib(found), "KiB")
    try:
        return Response(parse_latency(found) / 1000, "us")
    except ValueError as problem:
        raise ValueError(f"{problem}; for NVIDIA chips in KiB, such as 3.8KiB") from None


def _factor(found: object) -> Fraction:
    """Return a factor of 1 or more such as ``254/84`` or ``1.04``."""
    plain = str(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else ""
    try:
        value = Fraction(plain) if len(plain) <= 20 and "e" not in plain.lower() else Fraction(0)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if not 1 <= value <= 64:
        raise ValueError("a factor from 1 to 64 is wanted, such as 254/84 or 1.04")
    return value


def _by_speed(value: Callable[[object], int], wanted: str) -> Callable[[object], Mapping[int, int]]:
    def check(found: object) -> Mapping[int, int]:
        if not isinstance(found, dict):
            raise ValueError(f"{wanted} is wanted")  # noqa: TRY004 - pydantic wants a ValueError
        rows: dict[int, int] = {}
        for key, each in found.items():
            try:
                speed, row = _speed(key), value(each)
            except ValueError as problem:
                raise ValueError(f"at {str(key)[:20]!r}: {problem}") from None
            if speed in rows:
                raise ValueError(f"{format_speed(speed)} is given twice")
            rows[speed] = row
        return MappingProxyType(dict(sorted(rows.items())))

    return check


def _speed(found: object) -> int:
    speed = parse_speed(found)
    if not speed:
        raise ValueError("a speed above 0 is wanted, such as 25G")
    return speed


def _quanta(found: object) -> int:
    if type(found) is not int or not 1 <= found <= 65535:
        raise ValueError("a number of pause quanta from 1 to 65535 is wanted")
    return found


def _texts(pattern: str, example: str, description: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example], "description": description})


def _rows(inner: dict[str, object]) -> WithJsonSchema:
    return WithJsonSchema(
        {"type": "object", "patternProperties": {SPEED_PATTERN: inner}, "additionalProperties": False}
    )


SomeBytes: TypeAlias = Annotated[
    int, BeforeValidator(_some_bytes), _texts(BYTES_PATTERN, "254B", "bytes with a unit, above 0")
]
Latency: TypeAlias = Annotated[
    float, BeforeValidator(_latency), _texts(LATENCY_PATTERN, "120ns", "a time with a unit: ns, us or ms")
]
Velocity: TypeAlias = Annotated[
    float, BeforeValidator(parse_velocity), _texts(VELOCITY_PATTERN, "198000km/s", "a velocity: m/s or km/s")
]
Kib: TypeAlias = Annotated[float, BeforeValidator(_kib), _texts(_KIB_PATTERN, "3.8KiB", "a quantity in KiB")]
ResponseOf: TypeAlias = Annotated[
    Response,
    PlainValidator(_response),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": LATENCY_PATTERN, "examples": ["2.25us"]},
                {"type": "string", "pattern": _KIB_PATTERN, "examples": ["3.8KiB"]},
            ]
        }
    ),
]
Factor: TypeAlias = Annotated[
    Fraction,
    PlainValidator(_factor),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": _RATIO_PATTERN, "examples": ["254/84"]},
                {"type": "number", "minimum": 1, "maximum": 64},
            ]
        }
    ),
]
Faster: TypeAlias = Annotated[
    Mapping[int, int],
    PlainValidator(_by_speed(_speed, "one speed per speed, such as {10G: 25G},")),
    _rows({"type": "string", "pattern": SPEED_PATTERN, "examples": ["25G"]}),
]
Quanta: TypeAlias = Annotated[
    Mapping[int, int],
    PlainValidator(_by_speed(_quanta, "a number of pause quanta per speed, such as {400G: 905},")),
    _rows({"type": "integer", "minimum": 1, "maximum": 65535}),
]
PacketSize: TypeAlias = Annotated[int, Field(strict=True, ge=64, le=65535)]


class MemoryIntent(Strict):
    """The packet buffer of a chip."""

    total: Annotated[SomeBytes, Field(description="the memory of the chip, such as 64MB")]
    shared_headroom: Annotated[Bytes, Field(description="the headroom pool of all ports; 0: none")] = 0
    port_headroom: Annotated[Bytes, Field(description="what one port may take of that pool; 0: no bound")] = 0


class ChipIntent(Strict):
    """Constants of a chip: cell and packet buffer, and those of the formula that gives its headroom.

    The formula is that of the hardware data; of a chip that it does not know, that whose constants are given, all of
    those without a default.
    """

    cell: Annotated[SomeBytes | None, Field(description="a cell of the buffer, such as 254B; waste grows with it")] = (
        None
    )
    buffer: Annotated[MemoryIntent | None, Field(description="the packet buffer")] = None
    response: Annotated[
        ResponseOf | None,
        Field(
            description="until the other end has stopped: a time (merchant), or KiB at speeds without quanta (NVIDIA)"
        ),
    ] = None
    waste: Annotated[
        Factor | None, Field(description="merchant: bytes of buffer per byte on the wire, such as 254/84")
    ] = None
    frames: Annotated[Few | None, Field(description="merchant: largest frames that are under way")] = None
    extra: Annotated[Bytes | None, Field(description="merchant: bytes on the wire beside frames; default 0")] = None
    delay: Annotated[Latency | None, Field(description="merchant: of a metre of cable; default 5ns")] = None
    counts_as: Annotated[
        Faster | None, Field(description="merchant: speeds that count as a faster one, such as {10G: 25G}")
    ] = None
    margin: Annotated[Factor | None, Field(description="merchant: factor on the result; default 1")] = None
    pipeline: Annotated[Kib | None, Field(description="NVIDIA: latency of the pipeline, such as 19KiB")] = None
    mac_phy: Annotated[Kib | None, Field(description="NVIDIA: latency of MAC and PHY, such as 0.8KiB")] = None
    quanta: Annotated[
        Quanta | None,
        Field(description="NVIDIA: pause quanta until the other end stops, by speed; {}: response at all speeds"),
    ] = None
    tile: Annotated[Latency | None, Field(description="NVIDIA: latency of a tile; default 0ns")] = None
    gearbox: Annotated[Latency | None, Field(description="NVIDIA: latency of a gearbox; default 0ns")] = None
    lossless_mtu: Annotated[
        PacketSize | None, Field(description="NVIDIA: bytes of the largest lossless packet, such as 4096")
    ] = None
    small_packets: Annotated[
        Share | None, Field(description="NVIDIA: share of packets of 64 bytes that is reckoned with, such as 50%")
    ] = None
    weighing: Annotated[
        Literal["bytes", "packets"] | None, Field(description="NVIDIA: how small packets are counted; default bytes")
    ] = None
    whole: Annotated[
        Flag | None, Field(description="NVIDIA: cells of a small packet are rounded up; default false")
    ] = None
    velocity: Annotated[
        Velocity | None, Field(description="NVIDIA: of the signal in the cable; default 198000km/s")
    ] = None

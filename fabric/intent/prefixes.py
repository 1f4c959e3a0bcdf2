"""The types of addresses and address pools of the intent file, IPv4 and IPv6 alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import PlainValidator, WithJsonSchema

IpNetwork: TypeAlias = IPv4Network | IPv6Network
IpAddress: TypeAlias = IPv4Address | IPv6Address
Value = TypeVar("Value", IpNetwork, IpAddress)

_PREFIX_PATTERN: Final = r"^([0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}|[0-9a-fA-F:.]{2,45}/[0-9]{1,3})$"
_PREFIX4_PATTERN: Final = r"^[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}$"
_ADDRESS_PATTERN: Final = r"^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F:.]{2,45})$"
# Prefixes of which no port can have an address, by what they are for (RFC 6890).
_SPECIAL: Final = {
    "0.0.0.0/8": "this network",
    "127.0.0.0/8": "loopback inside a host",
    "169.254.0.0/16": "link-local",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
    "::/8": "this host, loopback and IPv4 written as IPv6",
    "fe80::/10": "link-local",
    "ff00::/8": "multicast",
}
_RESERVED: Final = {ip_network(prefix): purpose for prefix, purpose in _SPECIAL.items()}
_PREFIX_WANTED: Final = "a prefix is wanted, such as 10.64.0.0/12 or 2001:db8::/32"
_ADDRESS_WANTED: Final = "an address is wanted, such as 10.255.0.1 or 2001:db8::1"
_LENGTH_PATTERN: Final = r"^([0-9a-fA-F:.]{2,45})/[0-9]{1,3}$"


def parse_prefix(found: object) -> IpNetwork:
    """Return the network of ``10.64.0.0/12``; ValueError where it is none, has host bits set, or is not for ports."""
    if not isinstance(found, str) or re.fullmatch(_PREFIX_PATTERN, found) is None:
        raise ValueError(_PREFIX_WANTED)
    try:
        wide = ip_network(found, strict=False)
        first = ip_address(found.partition("/")[0])
    except ValueError:
        raise ValueError(_PREFIX_WANTED) from None
    if first != wide.network_address:
        raise ValueError(f"the prefix has bits set behind its length; {wide} is the network")
    for special, purpose in _RESERVED.items():
        if special.version == wide.version and _overlap(wide, special):
            raise ValueError(f"no port can have an address of {special} ({purpose})")
    return wide


def parse_address(found: object) -> IpAddress:
    """Return the address of ``10.255.0.1``; ValueError where it is none, or no port can have it."""
    long = re.fullmatch(_LENGTH_PATTERN, found) if isinstance(found, str) else None
    written = long[1] if long else found
    if not isinstance(written, str) or re.fullmatch(_ADDRESS_PATTERN, written) is None:
        raise ValueError(_ADDRESS_WANTED)
    try:
        address = ip_address(written)
    except ValueError:
        raise ValueError(_ADDRESS_WANTED) from None
    if long:
        raise ValueError(f"an address is wanted without its length: {written}")
    for special, purpose in _RESERVED.items():
        if address in special:
            raise ValueError(f"no port can have an address of {special} ({purpose})")
    return address


def _overlap(one: IpNetwork, other: IpNetwork) -> bool:
    return one.network_address in other or other.network_address in one


def _families(parse: Callable[[object], Value], kind: str) -> Callable[[object], tuple[Value, ...]]:
    def check(found: object) -> tuple[Value, ...]:
        if not isinstance(found, list | tuple):
            return (parse(found),)
        values = tuple(parse(one) for one in found)
        if not values or len({value.version for value in values}) != len(values):
            raise ValueError(f"one {kind} is wanted, or a list of one IPv4 and one IPv6 {kind}")
        return tuple(sorted(values, key=lambda value: value.version))

    return check


_pools = _families(parse_prefix, "prefix")


def _links(found: object) -> tuple[IpNetwork, ...] | Literal["unnumbered"]:
    if found == "unnumbered":
        return "unnumbered"
    try:
        return _pools(found)
    except ValueError as problem:
        raise ValueError(f"{problem}; or: unnumbered") from None


def _pool4(found: object) -> IPv4Network:
    pool = parse_prefix(found)
    if not isinstance(pool, IPv4Network):
        raise ValueError("an IPv4 prefix is wanted, such as 10.254.0.0/16")  # noqa: TRY004 - the user's words
    return pool


_ONE: Final[dict[str, object]] = {"type": "string", "pattern": _PREFIX_PATTERN, "examples": ["10.64.0.0/12"]}
_MANY: Final[dict[str, object]] = {"type": "array", "minItems": 1, "maxItems": 2, "items": _ONE}
_ADDRESS: Final[dict[str, object]] = {"type": "string", "pattern": _ADDRESS_PATTERN, "examples": ["10.255.0.1"]}
_ADDRESSES: Final[dict[str, object]] = {"type": "array", "minItems": 1, "maxItems": 2, "items": _ADDRESS}

Pools: TypeAlias = Annotated[tuple[IpNetwork, ...], PlainValidator(_pools), WithJsonSchema({"anyOf": [_ONE, _MANY]})]
"""One pool, or one of each family, IPv4 first."""
Links: TypeAlias = Annotated[
    tuple[IpNetwork, ...] | Literal["unnumbered"],
    PlainValidator(_links),
    WithJsonSchema({"anyOf": [{"const": "unnumbered"}, _ONE, _MANY]}),
]
Pool4: TypeAlias = Annotated[
    IPv4Network,
    PlainValidator(_pool4),
    WithJsonSchema({"type": "string", "pattern": _PREFIX4_PATTERN, "examples": ["10.254.0.0/16"]}),
]
HostAddress: TypeAlias = Annotated[IpAddress, PlainValidator(parse_address), WithJsonSchema(_ADDRESS)]
Loopbacks: TypeAlias = Annotated[
    tuple[IpAddress, ...],
    PlainValidator(_families(parse_address, "address")),
    WithJsonSchema({"anyOf": [_ADDRESS, _ADDRESSES]}),
]
"""One address, or one of each family, IPv4 first."""

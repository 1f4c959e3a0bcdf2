"""Port ranges: ``1-32``, ``1-16,33-48``, and with every port broken out, ``1-32/2x``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from pydantic import PlainValidator, WithJsonSchema

_PATTERN: Final = r"^[0-9]{1,4}(-[0-9]{1,4})?(,[0-9]{1,4}(-[0-9]{1,4})?){0,31}(/(2|4|8)x)?$"
_WANTED: Final = "a range of ports is wanted, such as 1-32, 1-16,33-48 or 1-32/2x (each port broken out in two)"
_MOST: Final = 1024


@dataclass(frozen=True, slots=True)
class Ports:
    """Port numbers in the order in which they are used; ``ways`` cables on each, 1 where ports are whole."""

    numbers: tuple[int, ...]
    ways: int = 1

    def __len__(self) -> int:
        """Return the number of cables that have a place here."""
        return len(self.numbers) * self.ways

    def __str__(self) -> str:
        starts = [n for n in self.numbers if n - 1 not in self.numbers]
        ends = [n for n in self.numbers if n + 1 not in self.numbers]
        pairs = zip(sorted(starts), sorted(ends), strict=True)
        text = ",".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)
        return text if self.ways == 1 else f"{text}/{self.ways}x"


def parse_ports(found: object) -> Ports:
    """Return the ports of a range; ValueError where it is none, runs backwards, or names a port twice."""
    text = str(found) if isinstance(found, int | str) and not isinstance(found, bool) else ""
    if re.fullmatch(_PATTERN, text) is None:
        raise ValueError(_WANTED)
    ranges, _, ways = text.partition("/")
    numbers: list[int] = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= _MOST:
            raise ValueError(f"{part} is no range of ports from 1 to {_MOST}; {_WANTED}")
        numbers += range(low, high + 1)
    if len(set(numbers)) != len(numbers):
        raise ValueError("a port is named twice")
    return Ports(tuple(numbers), int(ways[:-1]) if ways else 1)


PortRange: TypeAlias = Annotated[
    Ports,
    PlainValidator(parse_ports),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": _PATTERN, "examples": ["1-32/2x"]}, {"type": "integer"}]}),
]

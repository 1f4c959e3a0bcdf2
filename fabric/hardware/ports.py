"""How ports are named: a prefix, a number that grows in steps, a suffix; and what their parts are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from fabric.errors import DesignError

WAYS: Final = (1, 2, 4, 8)
_DIGITS: Final = 9


class Spot(NamedTuple):
    """Where a name stands: port ``number`` (from 1), part ``sub`` (from 0) of ``ways``; a whole port is one of 1."""

    number: int
    sub: int
    ways: int


@dataclass(frozen=True, slots=True)
class ChildNames:
    """How the parts of a port that is broken out are named.

    With ``join``, a part is the port without its suffix, ``join``, and a number from ``first``: ``swp1s0``. Without
    it, parts go on in the numbers between one port and the next: ``Ethernet0``, ``Ethernet4``. With ``lanes`` per port
    the number is that of the part's first lane, otherwise parts are counted.
    """

    join: str | None = None
    first: int = 0
    lanes: int | None = None

    def offset(self, sub: int, ways: int) -> int | None:
        """Return how far the number of part ``sub`` lies behind the first one's; ``None`` where lanes do not divide."""
        if self.lanes is None:
            return sub
        each, rest = divmod(self.lanes, ways)
        return None if rest else sub * each


@dataclass(frozen=True, slots=True)
class PortNames:
    """The naming pattern of one system: port 1 is ``<prefix><first><suffix>``, each further port adds ``step``.

    ``children`` is ``None`` where ports cannot be broken out.
    """

    prefix: str
    first: int
    step: int
    suffix: str = ""
    children: ChildNames | None = None

    def name(self, number: int, sub: int = 0, ways: int = 1) -> str:
        """Return the name of port ``number`` (from 1), or of part ``sub`` (from 0) where it is broken ``ways`` ways.

        The pattern goes on beyond what a model has. DesignError where there are no such parts.
        """
        base = self.first + (number - 1) * self.step
        whole = f"{self.prefix}{base}{self.suffix}"
        if (sub, ways) == (0, 1):
            return whole
        children = self.children
        offset = children.offset(sub, ways) if children is not None and ways > 1 and 0 <= sub < ways else None
        if children is None or offset is None:
            raise DesignError(
                f"port {whole} has no part {sub + 1} of {ways}", hint=f"ways to break it out: {self._known() or 'none'}"
            )
        if children.join is None:
            return f"{self.prefix}{base + offset}{self.suffix}"
        return f"{self.prefix}{base}{children.join}{children.first + offset}"

    def number(self, name: str) -> int | None:
        """Return the number (from 1) of the whole port with this name, ``None`` when the pattern does not make it."""
        found = self.spot(name, 1)
        return found.number if found else None

    def spot(self, name: str, ways: int | None = None) -> Spot | None:
        """Return where a name stands, ``None`` when the pattern does not make it.

        A name may be that of a whole port and of a part, or of parts of different size (SONiC: ``Ethernet0``); ``ways``
        says how the port is broken out (1: not at all). Without it, the fewest ways that make the name are meant.
        """
        for each in WAYS if ways is None else (ways,):
            found = self._whole(name) if each == 1 else self._part(name, each)
            if found is not None:
                return found
        return None

    def _whole(self, name: str) -> Spot | None:
        digits = self._between(name, self.suffix)
        steps, rest = divmod(digits - self.first, self.step) if digits is not None else (-1, 0)
        found = Spot(steps + 1, 0, 1)
        return found if not rest and steps >= 0 and self.name(found.number) == name else None

    def _part(self, name: str, ways: int) -> Spot | None:
        if self.children is None or self.children.offset(0, ways) is None:
            return None
        if self.children.join is None:
            base = self._between(name, self.suffix)
        else:
            base = self._between(name.rpartition(self.children.join)[0], "")
        number = (base - self.first) // self.step + 1 if base is not None else 0
        spots = (Spot(number, sub, ways) for sub in range(ways) if number > 0)
        return next((spot for spot in spots if self.name(*spot) == name), None)

    def _between(self, name: str, suffix: str) -> int | None:
        """Return the number between prefix and suffix, ``None`` when there is none."""
        if not (name.startswith(self.prefix) and name.endswith(suffix)):
            return None
        digits = name[len(self.prefix) : len(name) - len(suffix)]
        return int(digits) if digits.isdecimal() and len(digits) <= _DIGITS else None

    def _known(self) -> str:
        children = self.children
        return ", ".join(f"{ways}x" for ways in WAYS[1:] if children and children.offset(0, ways) is not None)

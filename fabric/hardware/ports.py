"""How ports are named: a prefix, a number that grows in steps, a suffix."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PortNames:
    """The naming pattern of one system: port 1 is ``<prefix><first><suffix>``, each further port adds ``step``."""

    prefix: str
    first: int
    step: int
    suffix: str = ""

    def name(self, number: int) -> str:
        """Return the name of port ``number`` (from 1); the pattern goes on beyond what a model has."""
        return f"{self.prefix}{self.first + (number - 1) * self.step}{self.suffix}"

    def number(self, name: str) -> int | None:
        """Return the number (from 1) of the port with this name, ``None`` when the pattern does not make it."""
        if not (name.startswith(self.prefix) and name.endswith(self.suffix)):
            return None
        digits = name[len(self.prefix) : len(name) - len(self.suffix)]
        if not digits.isdecimal():
            return None
        steps, rest = divmod(int(digits) - self.first, self.step)
        number = steps + 1
        return number if not rest and number > 0 and self.name(number) == name else None

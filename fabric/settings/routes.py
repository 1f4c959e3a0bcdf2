"""routes: static routes of hosts, one way out per rail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True, order=True)
class NextHop:
    """A gateway behind a port."""

    gateway: str
    port: str


@dataclass(frozen=True, slots=True)
class Route:
    """A route with next hops of equal weight; however they are given, they are kept in one order."""

    next_hops: tuple[NextHop, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "next_hops", tuple(sorted(self.next_hops)))


@dataclass(frozen=True)
class Routes(Facet[Route]):
    """Routes under ``<table> <prefix>``: ``main 10.64.0.0/12``, ``101 default``."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own exactly the routes that the design names."""
        return f"{cls.name} {key}" in scope.names

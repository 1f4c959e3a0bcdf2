"""balance: how a switch spreads traffic over equal ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Balance:
    """``ecmp`` by flow, ``dlb`` by flowlet and load, ``spray`` by packet."""

    mode: str


@dataclass(frozen=True)
class Balancing(Facet[Balance]):
    """One row, under ``fabric``."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own it where any port is ours: it holds for the whole switch."""
        return key == "fabric" and bool(scope.ports)

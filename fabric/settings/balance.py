"""balance: how a switch spreads traffic over equal ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import ABSENT, Facet, Maybe

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Balance:
    """``ecmp`` by flow, ``dlb`` by flowlet and load, ``spray`` by packet.

    ``source_port`` says whether the UDP source port is part of the hash of a flow, ``seed`` is what the hash begins
    with.
    """

    mode: str
    source_port: Maybe[bool] = ABSENT
    seed: Maybe[int] = ABSENT


@dataclass(frozen=True)
class Balancing(Facet[Balance]):
    """One row, under ``fabric``."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own it where any port is ours: it holds for the whole switch."""
        return key == "fabric" and bool(scope.ports)

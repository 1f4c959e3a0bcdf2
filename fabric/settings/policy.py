"""policy: source routing, so that each NIC answers by its own rail."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Lookup:
    """Packets with this source look into ``table`` first; ``preference`` orders the rules."""

    table: int
    preference: int


@dataclass(frozen=True)
class Policy(Facet[Lookup]):
    """Rules under ``from <address>``."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own the rules for source addresses of our pools."""
        source = key.partition(" ")[2]
        return _is_host(source) and scope.covers(source)


def _is_host(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True

"""pools: buffer pools of a switch that the intent sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import ABSENT, Facet, Maybe

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class BufferPool:
    """Size in bytes, and ``xoff`` the headroom in bytes that all ports of the pool share.

    Some systems count ``xoff`` in ``size``, others beside it.
    """

    size: int
    xoff: Maybe[int] = ABSENT


@dataclass(frozen=True)
class Pools(Facet[BufferPool]):
    """Pools under the system's own names."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own exactly the pools that the design names."""
        return f"{cls.name} {key}" in scope.names

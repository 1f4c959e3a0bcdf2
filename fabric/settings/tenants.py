"""tenants: which edge ports of a leaf belong to which tenant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Tenant:
    """The routes of one tenant: VXLAN network identifier, and its ports on this node in order of their numbers."""

    vni: int
    ports: tuple[str, ...]


@dataclass(frozen=True)
class Tenants(Facet[Tenant]):
    """Tenants under their names."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own exactly the tenants that the design names."""
        return f"{cls.name} {key}" in scope.names

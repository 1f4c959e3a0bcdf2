"""tenants: which edge ports of a leaf belong to which tenant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import ABSENT, Facet, Maybe

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Tenant:
    """The routes of one tenant: VXLAN network identifier, and its ports on this node in order of their numbers.

    ``dscp_copied`` and ``ecn_copied`` say whether these parts of the inner header stand in the outer one of its tunnels
    too, and come back from there at the end; `ABSENT` where the node has not said.
    """

    vni: int
    ports: tuple[str, ...]
    dscp_copied: Maybe[bool] = ABSENT
    ecn_copied: Maybe[bool] = ABSENT


@dataclass(frozen=True)
class Tenants(Facet[Tenant]):
    """Tenants under their names."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own exactly the tenants that the design names."""
        return f"{cls.name} {key}" in scope.names

"""addresses: which address stands on which port."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_interface
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Address:
    """An address that is there; all that can be said of it stands in its key."""


@dataclass(frozen=True)
class Addresses(Facet[Address]):
    """Addresses under ``<port> <address>/<length>``; link-local addresses are not settings."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """On ports of ours everything is ours; on the loopback only what lies in our pools."""
        port, _, address = key.partition(" ")
        return port in scope.ports and (port != "lo" or scope.covers(str(ip_interface(address).ip)))

"""addresses: which address stands on which port."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_interface
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def by_port(keys: Iterable[str]) -> dict[str, list[str]]:
    """Return the addresses (with length) on each port, in the order of the keys of `Addresses`."""
    found: dict[str, list[str]] = {}
    for key in keys:
        port, _, address = key.partition(" ")
        found.setdefault(port, []).append(address)
    return found

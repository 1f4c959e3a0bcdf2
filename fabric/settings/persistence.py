"""persistence: what would come after a reboot, compared by digest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.bgp import Bgp
from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Saved:
    """The digest of what is saved: of a whole file of ours, or of our part in a shared one."""

    digest: str


@dataclass(frozen=True)
class Persistence(Facet[Saved]):
    """Digests under artefact names, such as ``network.sh``.

    A file that we share is compared by row, ``frr.conf neighbor swp1``, or ``frr.conf sysctl net.ipv4.ip_forward``
    where it speaks of a kernel parameter. ``frr.conf ipv6 neighbor swp1`` is what IPv6 unicast adds to a row.
    """

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own whole artefacts (a platform reports only its own), and of a shared file what its rows' facets own."""
        _, _, row = key.partition(" ")
        if row.startswith("sysctl "):
            return row in scope.names
        if row.startswith("ipv6 "):
            return any(prefix.version == 6 for prefix in scope.prefixes) and Bgp.owned(row.removeprefix("ipv6 "), scope)
        return bool(scope.ports) and (not row or Bgp.owned(row, scope))

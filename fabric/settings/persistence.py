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
    """Digests under artefact names, such as ``network.sh``; in a shared file by row: ``frr.conf neighbor swp1``."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own whole artefacts (a platform reports only its own), and of a shared BGP file the rows that BGP owns."""
        _, _, row = key.partition(" ")
        return bool(scope.ports) and (not row or Bgp.owned(row, scope))

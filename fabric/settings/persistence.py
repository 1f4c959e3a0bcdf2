"""persistence: what would come after a reboot, compared by digest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Saved:
    """The digest of what is saved: of a whole file of ours, or of our part in a shared one."""

    digest: str


@dataclass(frozen=True)
class Persistence(Facet[Saved]):
    """Digests under artefact names, such as ``frr.conf`` or ``network.sh``."""

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:  # noqa: ARG003
        """Own every artefact: a platform reports only its own."""
        return bool(scope.ports)

"""sysctl: kernel parameters that a router or a multi-rail host needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fabric.settings.facet import Facet

if TYPE_CHECKING:
    from fabric.settings.scope import Scope


@dataclass(frozen=True, slots=True)
class Parameter:
    """One kernel parameter; ``value`` as the kernel prints it, blanks between several numbers."""

    value: str


@dataclass(frozen=True)
class Sysctl(Facet[Parameter]):
    """Kernel parameters under their dotted names (a port name may contain no dot)."""

    lasting: ClassVar[bool] = True

    @classmethod
    def owned(cls, key: str, scope: Scope) -> bool:
        """Own exactly the parameters that the design names."""
        return f"{cls.name} {key}" in scope.names

"""dcqcn: congestion control parameters of a NIC port."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters under the vendor's own names, sorted by name, units as the vendor's."""

    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Dcqcn(Facet[Parameters]):
    """Parameters under port names."""

"""neighbours: who LLDP says is at the other end."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The first neighbour heard on a port: its system name and its port name."""

    node: str
    port: str


@dataclass(frozen=True)
class Neighbours(Facet[Neighbour]):
    """Neighbours under our own port names."""

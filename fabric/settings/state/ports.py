"""ports: whether links are up."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class PortState:
    """``up`` is the operational state: there is light and a partner."""

    up: bool


@dataclass(frozen=True)
class Ports(Facet[PortState]):
    """Port states under port names."""

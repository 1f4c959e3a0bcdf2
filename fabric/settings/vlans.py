"""vlans: which layer-2 subnet an edge port belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Vlan:
    """The VLAN that a port carries without a tag; its gateway stands on the port ``vlan<id>`` of the same node."""

    id: int


@dataclass(frozen=True)
class Vlans(Facet[Vlan]):
    """VLANs under the names of their ports."""

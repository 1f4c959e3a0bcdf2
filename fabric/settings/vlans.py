"""vlans: which layer-2 subnet an edge port belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Vlan:
    """The VLAN that a port carries without a tag; its gateway stands on the port ``vlan<id>`` of the same node.

    ``neighbour_age`` is after how many seconds an ARP or ND entry that nobody confirms is dropped, ``mac_age`` after
    how many the switch forgets a MAC address that it no longer hears.
    """

    id: int
    neighbour_age: Maybe[int] = ABSENT
    mac_age: Maybe[int] = ABSENT


@dataclass(frozen=True)
class Vlans(Facet[Vlan]):
    """VLANs under the names of their ports."""

"""Tiers from cables: hosts are tier 0, the switch role that hosts attach to is tier 1, the one above it tier 2."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.intent.models import Cable, Topology
from fabric.intent.tiers import Joint, tiers


def tier_of(topology: Topology) -> Mapping[str, int]:
    """Return the tier of every role; the loader has seen to it that each has one, and that cables join neighbours."""
    joints = (Joint(index, cable.from_, cable.to) for index, cable in enumerate(topology.cables))
    return tiers(topology.hosts, joints)


def lower_and_upper(cable: Cable, tier: Mapping[str, int]) -> tuple[str, str]:
    """Return the two roles of a cable, the one nearer to the hosts first."""
    ends = (cable.from_, cable.to)
    return ends if tier[ends[0]] < tier[ends[1]] else (ends[1], ends[0])

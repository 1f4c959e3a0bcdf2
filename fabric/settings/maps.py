"""maps: DSCP to priority, priority to queue, per port."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fabric.settings.facet import ABSENT, Facet, Maybe

UNKNOWN: Final = -1
"""What a map holds where it was read and not understood."""


@dataclass(frozen=True, slots=True)
class ClassMap:
    """How a port classifies: index = DSCP (64 entries) and priority (8 entries).

    Ports that classify alike refer to one value, made once per node. The other tables have 8 entries as well:
    ``priority_to_group`` is the ingress buffer (priority group) of a priority, ``pause_to_queue`` the egress queue that
    stops when a pause for a priority arrives, ``pause_to_group`` the group for which a pause of a priority is sent.
    ``trust`` is what the port classifies by: ``dscp``, ``pcp`` (the priority in a VLAN tag), ``both`` (the tag where
    there is one) or ``port`` (neither).
    """

    dscp_to_priority: tuple[int, ...]
    priority_to_queue: tuple[int, ...]
    trust: Maybe[str] = ABSENT
    priority_to_group: Maybe[tuple[int, ...]] = ABSENT
    pause_to_queue: Maybe[tuple[int, ...]] = ABSENT
    pause_to_group: Maybe[tuple[int, ...]] = ABSENT


@dataclass(frozen=True)
class Maps(Facet[ClassMap]):
    """Class maps under port names; a port without a row does not classify."""

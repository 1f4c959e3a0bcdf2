"""maps: DSCP to priority, priority to queue, per port."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class ClassMap:
    """How a port classifies: index = DSCP (64 entries) and priority (8 entries).

    Ports that classify alike refer to one value, made once per node.
    """

    dscp_to_priority: tuple[int, ...]
    priority_to_queue: tuple[int, ...]


@dataclass(frozen=True)
class Maps(Facet[ClassMap]):
    """Class maps under port names; a port without a row does not classify."""

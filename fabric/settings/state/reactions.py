"""reactions: how a NIC port sees and answers congestion and loss."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class ReactionCount:
    """RDMA counters of a NIC port since its driver was loaded.

    ``marked`` are packets that arrived marked, ``cnps_sent`` the CNPs that answered them, ``cnps_handled`` the CNPs
    that made flows of this port slower, ``out_of_sequence`` packets that arrived with another number than the next one.
    """

    marked: int
    cnps_sent: int
    cnps_handled: int
    out_of_sequence: int


@dataclass(frozen=True)
class Reactions(Facet[ReactionCount]):
    """Counts under port names."""

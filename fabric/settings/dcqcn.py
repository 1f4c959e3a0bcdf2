"""dcqcn: congestion control parameters of a NIC port."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters under the vendor's own names, sorted by name, units as the vendor's.

    ``np`` tells whether the port answers marked packets with CNPs (notification point), one switch per port; ``rp`` are
    the priorities whose senders slow down on CNPs (reaction point).
    """

    values: tuple[tuple[str, int], ...] = ()
    np: Maybe[bool] = ABSENT
    rp: Maybe[frozenset[int]] = ABSENT


@dataclass(frozen=True)
class Dcqcn(Facet[Parameters]):
    """Parameters under port names."""

"""bonds: ports that act as one, on hosts and on the leaves that they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Bond:
    """A bond with LACP: its members in order.

    ``system_id`` is the MAC address that two leaves of one bond both give as theirs, so that hosts see one partner.
    """

    members: tuple[str, ...]
    system_id: Maybe[str] = ABSENT


@dataclass(frozen=True)
class Bonds(Facet[Bond]):
    """Bonds under their names."""

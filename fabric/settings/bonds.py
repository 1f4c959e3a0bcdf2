"""bonds: ports that act as one, on hosts and on the leaves that they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Bond:
    """A bond with LACP: its members in order.

    ``system_id`` is the MAC address that two leaves of one bond both give as theirs, so that hosts see one partner.
    ``mode`` is the way in which members are used, ``hash`` what a flow's member is chosen by, both in the words of the
    Linux bonding driver: ``802.3ad``, ``active-backup``; ``layer2``, ``layer3+4``.
    """

    members: tuple[str, ...]
    system_id: Maybe[str] = ABSENT
    mode: Maybe[str] = ABSENT
    hash: Maybe[str] = ABSENT


@dataclass(frozen=True)
class Bonds(Facet[Bond]):
    """Bonds under their names."""

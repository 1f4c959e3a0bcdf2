"""pfc: which priorities a port pauses."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Pause:
    """The priorities (0..7) for which PFC is on, both received and sent.

    ``sent`` and ``received`` say it of one direction, where a system tells them apart: for which priorities pauses are
    sent, and for which they are obeyed. ``willing`` says that DCBX lets the neighbour replace all of it.
    """

    priorities: frozenset[int]
    sent: Maybe[frozenset[int]] = ABSENT
    received: Maybe[frozenset[int]] = ABSENT
    willing: Maybe[bool] = ABSENT


@dataclass(frozen=True)
class Pfc(Facet[Pause]):
    """Pause under port names."""

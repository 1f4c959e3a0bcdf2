"""links: what a port is set to below addresses and queues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fabric.settings.facet import ABSENT, Facet, Maybe


@dataclass(frozen=True, slots=True)
class Port:
    """One port: ``mtu`` is the IP MTU in bytes, ``speed`` bit/s, ``enabled`` the administrative state.

    ``fec`` is ``none``, ``fc`` (Base-R, clause 74) or ``rs`` (Reed-Solomon). ``pause`` says that pauses of the whole
    link (802.3x) are sent or obeyed.
    """

    mtu: Maybe[int] = ABSENT
    enabled: Maybe[bool] = ABSENT
    speed: Maybe[int] = ABSENT
    fec: Maybe[str] = ABSENT
    pause: Maybe[bool] = ABSENT


@dataclass(frozen=True)
class Links(Facet[Port]):
    """Ports under their names."""

    lasting: ClassVar[bool] = True

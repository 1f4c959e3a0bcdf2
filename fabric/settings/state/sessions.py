"""sessions: BGP sessions as they stand."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Session:
    """``state`` is the field's word (``Established``); prefixes received; drops since the daemon started."""

    state: str
    prefixes: int
    dropped: int


@dataclass(frozen=True)
class Sessions(Facet[Session]):
    """Sessions under ``<port or address of the neighbour>``."""

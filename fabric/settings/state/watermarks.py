"""watermarks: how full the headroom has been."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Watermark:
    """The most bytes that stood in the headroom of a priority group at once since the watermark was cleared."""

    headroom: int


@dataclass(frozen=True)
class Watermarks(Facet[Watermark]):
    """Watermarks under ``<port> <priority>``."""

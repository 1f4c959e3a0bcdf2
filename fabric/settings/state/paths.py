"""paths: which ways a router uses to a prefix."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Path:
    """The ports by which BGP routes to a prefix leave, sorted; only those in the forwarding table."""

    ports: tuple[str, ...]


@dataclass(frozen=True)
class Paths(Facet[Path]):
    """Paths under prefixes."""

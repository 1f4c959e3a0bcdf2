"""Names: which nodes a file has, without designing or judging it; what a shell offers while a command is typed."""

from __future__ import annotations

from pathlib import Path

from fabric.design.overrides import Overrides
from fabric.design.roster import places
from fabric.intent.loader import load


def nodes_of(file: Path) -> tuple[tuple[str, str], ...]:
    """Return the nodes of a file, each with its role, switches first; IntentError or DesignError for a wrong file."""
    document = load(file)
    rows = places(document, Overrides(document))
    return tuple(
        (place.real, role) for role, found in rows.items() for place in found if place.given.state != "removed"
    )

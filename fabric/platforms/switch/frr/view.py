"""What the templates of frr are given beside the facets."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.platforms.parts import tcmake
from fabric.settings.facet import Settings
from fabric.settings.facts import Facts


def view(settings: Settings, facts: Facts) -> Mapping[str, object]:  # noqa: ARG001  # the same on every Linux
    """Return ``trees``: per port the lines for ``tc -batch`` that make its queues."""
    return {"trees": tcmake.lines(settings)}

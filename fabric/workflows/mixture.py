"""The mixture: what network rules say of a fabric of which some nodes are changed and some are not yet."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from fabric.changes.reading import Reading
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Finding
from fabric.rules.contract import Subjects
from fabric.rules.runner import run
from fabric.settings.facet import Settings


def as_read(design: Design, readings: Mapping[str, Reading]) -> Mapping[str, Settings]:
    """Return per node what was read within the scope, laid over what is designed and cannot be read."""
    nodes = design.network.nodes
    return {
        name: nodes[name].settings.with_(*reading.settings.within(design.scopes[name]))
        for name, reading in readings.items()
    }


def raised(
    design: Design, settings: Mapping[str, Settings], document: Document | None = None, today: date | None = None
) -> tuple[Finding, ...]:
    """Return what network rules find with these settings, and do not find in the design itself.

    With the ``document``, its waivers that have not ended ``today`` are applied.
    """
    usual = {_key(finding) for finding in run(Subjects(document, design, today=today))}
    found = run(Subjects(document, design, design.network.with_settings(settings), today))
    return tuple(finding for finding in found if _key(finding) not in usual)


def interim(
    design: Design, readings: Mapping[str, Reading], waves: tuple[tuple[str, ...], ...]
) -> Mapping[int, tuple[Finding, ...]]:
    """Return per wave (from 1) what is found after it and neither before the first one nor in the design."""
    settings = dict(as_read(design, readings))
    before = {_key(finding) for finding in raised(design, settings)}
    found = {}
    for number, wave in enumerate(waves[:-1], 1):
        settings |= {name: design.network.nodes[name].settings for name in wave}
        new = tuple(finding for finding in raised(design, settings) if _key(finding) not in before)
        if new:
            found[number] = new
    return found


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.path

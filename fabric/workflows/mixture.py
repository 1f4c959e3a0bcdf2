"""The mixture: what network rules say of a fabric of which some nodes are changed and some are not yet."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.changes.reading import Reading
from fabric.design.model import Design
from fabric.results import Finding
from fabric.rules.contract import Subjects
from fabric.rules.runner import run
from fabric.settings.facet import Settings
from fabric.workflows.prepare import Prepared


def as_read(design: Design, readings: Mapping[str, Reading]) -> Mapping[str, Settings]:
    """Return per node what was read within the scope, laid over what is designed and cannot be read."""
    nodes = design.network.nodes
    return {
        name: nodes[name].settings.with_(*reading.settings.within(design.scopes[name]))
        for name, reading in readings.items()
    }


def raised(prepared: Prepared, settings: Mapping[str, Settings]) -> tuple[Finding, ...]:
    """Return what network rules find with these settings, and do not find in the design itself; waivers apply."""
    usual = {_key(finding) for finding in prepared.findings}
    network = prepared.design.network.with_settings(settings)
    subjects = Subjects(prepared.document, prepared.design, network, prepared.today)
    return tuple(finding for finding in run(subjects, ignore=("waivers.*",)) if _key(finding) not in usual)


def interim(
    prepared: Prepared, readings: Mapping[str, Reading], waves: tuple[tuple[str, ...], ...]
) -> Mapping[int, tuple[Finding, ...]]:
    """Return per wave (from 1) what is found after it and neither before the first one nor in the design.

    What the user accepts is not among it.
    """
    settings = dict(as_read(prepared.design, readings))
    before = {_key(finding) for finding in raised(prepared, settings)} if len(waves) > 1 else set()
    found = {}
    for number, wave in enumerate(waves[:-1], 1):
        settings |= {name: prepared.design.network.nodes[name].settings for name in wave}
        new = (finding for finding in raised(prepared, settings) if _key(finding) not in before)
        if left := tuple(finding for finding in new if not finding.waived):
            found[number] = left
    return found


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.path

"""Which nodes have something to look at, which of them could be looked at, and the skips for the others.

Switches without a chip and NICs in software have no pauses, marks or PCIe slots of their own: nothing is asked of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, look
from fabric.design.chips import has_chip
from fabric.design.model import Design
from fabric.hardware import lookup
from fabric.results import CheckResult
from fabric.settings.facet import Facet

_SOFTWARE = frozenset({"soft_roce"})


@dataclass(frozen=True, slots=True)
class Observed:
    """The nodes that reported all that was asked for, and the skips: what is announced once for all nodes of a kind."""

    nodes: tuple[str, ...]
    skips: tuple[CheckResult, ...]


def switches(design: Design) -> tuple[str, ...]:
    """Return the switches with a chip."""
    nodes = design.network.nodes
    return tuple(name for name, node in nodes.items() if node.kind == "switch" and has_chip(node.model))


def hosts(design: Design) -> tuple[str, ...]:
    """Return the hosts with NICs that are no software."""
    nodes, known = design.network.nodes, frozenset(lookup.nics())
    cards = {name: node.model for name, node in nodes.items() if node.kind == "host" and node.model in known}
    return tuple(name for name, model in cards.items() if lookup.nic(model).driver not in _SOFTWARE)


def observed(seen: Seen, nodes: Iterable[str], facets: Iterable[type[Facet[Any]]], samples: int = 1) -> Observed:
    """Return which of some nodes reported all facets, in the last sample or in both."""
    whole: list[str] = []
    skips: list[CheckResult] = []
    moments = (True, False) if samples > 1 else (False,)
    for name in (name for name in nodes if asked(seen, name)):
        found = (look(seen, name, facet, before=before) for before in moments for facet in facets)
        skip = next((each for each in found if isinstance(each, CheckResult)), None)
        if skip is None:
            whole.append(name)
        else:
            skips.append(skip)
    return Observed(tuple(whole), tuple(_together(skips)))


def _together(skips: Iterable[CheckResult]) -> Iterable[CheckResult]:
    """Say once, at the first node, what is announced for all nodes of a kind."""
    first: dict[str, list[CheckResult]] = {}
    for skip in skips:
        first.setdefault(skip.message if skip.announced else skip.at, []).append(skip)
    for one, *others in first.values():
        more = f" (likewise {len(others)} more nodes)" if others else ""
        yield replace(one, message=one.message + more)


def moved(before: Mapping[str, Any], after: Mapping[str, Any], field: str) -> Mapping[str, int]:
    """Return by how much a counter of each row moved between two samples; less than 0 where it was reset.

    A row that was not there before began at 0.
    """
    return {
        key: getattr(row, field) - (getattr(before[key], field) if key in before else 0) for key, row in after.items()
    }

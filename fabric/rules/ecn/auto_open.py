"""Thresholds that are auto come out as values.

What it does
    Looks for marking queues whose min or max is ``auto`` and stays open, and says why.

Why
    Nothing is guessed: what cannot be computed is not set, and the switch marks as it did before, or not at all.

Fails
    ``ecn: {min: auto, max: auto, probability: 5%}`` where switches forward in software, so that nobody knows how long
    a round trip takes; with Junos, where the buffer of a queue is not known and thresholds are percents of it.

Passes
    The same with ``profile: paper``, which needs no round trip; values; ``auto`` that is computed.

Options
    None.

Known limits
    Silent where another rule names the cause: ecn.incast for an incast that is paused wherever marking begins,
    cabling.length-missing for a cable of a lossless class without a length.

Source
    The formulas of ``fabric show --class NAME --why``. Catalogue code F04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design, TrafficClass
from fabric.design.thresholds import Surroundings, incast_bound, thresholds, wanted
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent

SEVERITY = Severity.NOTE


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per class and reason, with the switches that it holds for."""
    for found in design.classes:
        keys = [key for key, field in (("min", "kmin"), ("max", "kmax")) if field in found.ecn_auto]
        if not keys:
            continue
        reasons: dict[str, dict[str, None]] = {}
        for node, _, row, near in scene(design.network).queues():
            still = isinstance(row.kmin, Absent) or isinstance(row.kmax, Absent)
            if still and row.queue == found.queue and (reason := _reason(found, near)):
                reasons.setdefault(reason, {})[node.name] = None
        for reason, nodes in reasons.items():
            first, *others = nodes
            more = f" and {len(others)} more" if others else ""
            stay = "stay" if len(keys) > 1 else "stays"
            yield Violation(
                path=f"classes.{found.name}.ecn.{keys[0]}",
                message=f"{' and '.join(keys)} of class {found.name} {stay} open on {first}{more}: {reason}",
                measured="auto, without a value",
                bound="auto that can be computed",
                fix=f"write {' and '.join(keys)} as sizes, or what is missing; profile: paper needs speeds alone",
            )


def _reason(found: TrafficClass, near: Surroundings) -> str:
    """Return why thresholds of a queue stay open; empty where they do not, or where another rule says so."""
    want = wanted(found, near.speed)
    low = incast_bound(near, want.incast)
    told = (low is not None and low < near.mtu) or (near.lossless and near.trip is None and "length" in near.no_trip)
    return "" if told else thresholds(want, near).reason

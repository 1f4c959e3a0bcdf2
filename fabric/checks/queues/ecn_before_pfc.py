"""Queues mark before they pause.

What it does
    Compares, on switches with a chip and over two samples, the pauses that a switch sent for each lossless class with
    ECN and the packets of that class that it marked.

Why
    Marks slow down the flow that is too fast; a pause stops all that share its port. Thresholds are chosen so that
    marks come first. A switch that pauses and marks nothing proves that they do not: the threshold lies too high,
    marking is off, or packets arrive that cannot be marked.

Passes
    The switch sent no pauses for the class, or marked packets of it as well.

Fails
    It sent pauses and marked nothing.

Skips
    The switch does not report pauses or marks, was not reached, or cleared its counters in between.

Known limits
    What comes first within the time between the samples is not seen. An idle fabric passes: the check speaks while jobs
    or a probe run. Classes without ECN (pfc-only) are not judged.

Source
    Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 4 (ECN before PFC). Catalogue
    code L08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.checks.contract import Seen
from fabric.checks.observed import moved, observed, switches
from fabric.checks.outcomes import failed, passed, skipped
from fabric.design.model import TrafficClass
from fabric.results import CheckResult
from fabric.settings.state.marks import Marks
from fabric.settings.state.pauses import Pauses

FACETS = (Pauses, Marks)
SAMPLES = 2


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per switch and lossless class with ECN."""
    classes = tuple(each for each in seen.design.classes if each.lossless and each.ecn)
    found = observed(seen, switches(seen.design) if classes else (), FACETS, SAMPLES)
    yield from found.skips
    for name in found.nodes:
        before, after = seen.before[name].state, seen.readings[name].state
        pauses = moved(before.rows(Pauses), after.rows(Pauses), "sent")
        marks = moved(before.rows(Marks), after.rows(Marks), "packets")
        for each in classes:
            yield _judged(name, each, _of(pauses, each.priority), _of(marks, each.queue))


def _of(counts: Mapping[str, int], number: int) -> tuple[int, ...]:
    """Return the counts of one priority or queue on all ports."""
    return tuple(count for key, count in counts.items() if key.endswith(f" {number}"))


def _judged(name: str, each: TrafficClass, pauses: tuple[int, ...], marks: tuple[int, ...]) -> CheckResult:
    what = f"class {each.name} on {name}"
    if min((*pauses, *marks), default=0) < 0:
        return skipped(name, f"{what}: counters were reset between the samples")
    sent, marked = sum(pauses), sum(marks)
    if sent and not marked:
        message = f"{what}: {sent} pauses were sent, and no packet was marked"
        return failed(name, message, "marks before pauses", f"{sent} pauses, 0 marks")
    return passed(name, f"{what}: {marked} packets were marked, {sent} pauses were sent")

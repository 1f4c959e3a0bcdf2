"""Classes that share a queue are served alike.

What it does
    Compares classes of one queue: strict or not, limit, ECN; and none of them is lossless.

Why
    A queue has one schedule, one limit and one ECN profile. Where two classes ask for different ones, one of them does
    not get what the file says. A pause stops a queue as a whole: a class that shares the queue of a lossless one waits
    with it, whatever its own priority is.

Fails
    ``bulk: {priority: 1, queue: 3, ...}`` beside the lossless class of queue 3; a strict class and one with a share in
    one queue.

Passes
    Every class has a queue of its own. Two lossy classes with shares, without limits and with the same ECN share one:
    it gets the sum of their shares.

Options
    None.

Known limits
    That cnp is in the queue of a lossless class is for classes.cnp-lossless, and that two classes have one priority for
    classes.duplicate. Live, the maps and queues that were read are compared with the design instead.

Source
    IEEE 802.1Q-2018 clauses 8.6.6 and 8.6.8 (one queue, one traffic class, one selection algorithm) and 36 (pause per
    priority). Catalogue code D07.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.classes import CNP
from fabric.design.model import Design, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per class that asks its queue for something else than the first class of that queue."""
    first: dict[int, TrafficClass] = {}
    for each in design.classes:
        other = first.setdefault(each.queue, each)
        told = each.priority == other.priority or (CNP in (each.name, other.name) and (each.lossless or other.lossless))
        differing = ", ".join(_differing(each, other)) if not told else ""
        if differing:
            yield Violation(
                path=f"classes.{each.name}.queue",
                message=f"class {each.name} shares queue {each.queue} with class {other.name}, "
                f"and they are not served alike: {differing}",
                measured=f"2 classes in queue {each.queue}",
                bound="classes of one queue alike, and lossy",
                fix=f"give {each.name} or {other.name} a queue of its own",
            )


def _differing(each: TrafficClass, other: TrafficClass) -> Iterator[str]:
    if each.lossless or other.lossless:
        yield "a pause of one stops the other"
    if each.strict != other.strict:
        yield "one is strict"
    if each.limit != other.limit:
        yield "their limits differ"
    if _marking(each) != _marking(other):
        yield "their ECN differs"


def _marking(each: TrafficClass) -> tuple[object, ...]:
    return (each.ecn, each.kmin, each.kmax, each.pmax, each.kmin_by_speed, each.kmax_by_speed)

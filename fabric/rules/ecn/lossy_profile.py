"""Lossless queues have a marking profile of their own, which drops nothing.

What it does
    Looks, on every port, for a lossless queue that drops packets between its thresholds instead of marking them, and
    for one that shares its profile object with a lossy queue of the same port.

Why
    A queue that was promised to lose nothing loses packets as soon as its thresholds drop. And an object that two kinds
    of queues share changes for both when somebody tunes one of them.

Fails
    A profile with drops on queue 3 of a port that pauses priority 3; ``AZURE_LOSSLESS`` on queues 3 (lossless) and 1.

Passes
    Profiles of their own, also where their sizes are equal; one profile for several lossless queues.

Options
    None.

Known limits
    Names of profiles and whether they drop are judged where they were read from devices; in a design each queue has
    its own.

Source
    SONiC, WRED_PROFILE: one object holds thresholds for marks and for drops (sonic-swss 4718, sonic-buildimage 27606);
    NX-OS, where ``random-detect`` without ``ecn`` drops. Catalogue code F11.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.analysis.marking import queue_of, row_of
from fabric.design.thresholds_ports import scene
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.ecn import PortMarking
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch, kind of ports and lossless queue whose profile drops, or is a lossy queue's."""
    for name, kinds in scene(network).kinds.items():
        for ports, row, around in kinds:
            lossless = {each.queue for each, near in zip(row.queues, around, strict=True) if near.lossless}
            yield from _judged(network.nodes[name], ports, row, lossless)


def _judged(node: Node, ports: Sequence[str], row: PortMarking, lossless: set[int]) -> Iterator[Violation]:
    lossy = {each.profile: each.queue for each in row.queues if each.queue not in lossless}
    for each in row.queues:
        if each.queue not in lossless:
            continue
        where = queue_of(node, ports, each.queue)
        if each.drops:
            yield Violation(
                path=row_of(node, ports),
                message=f"{where} is lossless, and drops packets between its thresholds",
                measured="drops",
                bound="marks",
                fix="give the queue a profile that marks, and does not drop",
                severity=Severity.ERROR,
            )
        elif not isinstance(each.profile, Absent) and each.profile in lossy:
            other = lossy[each.profile]
            yield Violation(
                path=row_of(node, ports),
                message=f"{where} is lossless, and has the profile {each.profile} of queue {other}, which is not",
                measured=f"{each.profile} on queues {min(each.queue, other)} and {max(each.queue, other)}",
                bound="profiles apart",
                fix=f"give queue {other} a profile of its own",
            )

"""A port pauses the lossless classes that it carries, and nothing else.

What it does
    Compares the priorities for which PFC is on with those of the lossless classes that the link carries: all of them
    between switches, and to hosts those whose ``edge`` has the role of the host. One too few is an error, one too many
    a warning.

Why
    Both ends of a link can agree and still be wrong. A lossless class without PFC loses packets in the first incast. A
    lossy class with PFC stops senders that nobody meant to stop, and has no headroom to be stopped in time.

Fails
    Class rdma is lossless with priority 3, and both ends of a link pause none, or 3 and 4.

Passes
    Both ends pause 3. A port to hosts that do not carry the class pauses none.

Options
    None.

Known limits
    A link whose ends differ is for pfc.sets-differ, which then speaks for other links of the same node with the same
    set. A port whose PFC is not known is not judged.

Source
    IEEE 802.1Q-2018 clause 36 (PFC per priority); NVIDIA, RoCE configuration (PFC on the RoCE priority alone).
    Catalogue code E01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed
from fabric.analysis.one_sided import amiss
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per link that pauses other priorities than its lossless classes have."""
    links = tuple(amiss(network, design))
    told = {(found.ends[0][0].node, found.ends[0][1]) for found in links if found.differs}
    for found in links:
        if not found.differs and not any((end.node, own) in told for end, own in found.ends):
            yield from _judged(*found.ends[0], found.lossless, design)


def _judged(end: End, found: frozenset[int], wanted: frozenset[int], design: Design) -> Iterator[Violation]:
    names = {each.priority: each.name for each in reversed(design.classes)}
    missing = [f"class {names[priority]} is lossless and not paused" for priority in sorted(wanted - found)]
    beyond = [
        f"priority {priority}{f' (class {names[priority]})' if priority in names else ''} is paused, and not lossless"
        for priority in sorted(found - wanted)
    ]
    yield Violation(
        path=f"{end.node}.pfc.{end.port}",
        message=f"on the link of {end} {', '.join((*missing, *beyond))}",
        measured=listed(found),
        bound=listed(wanted),
        fix=f"set PFC for {listed(wanted)} at both ends, or change lossless of the class",
        severity=None if missing else Severity.WARNING,
    )

"""Headroom has never been nearly full.

What it does
    Compares, on switches with a chip, the most bytes that ever stood in the headroom of each paused priority with what
    it was designed to hold.

Why
    Headroom takes what arrives after a pause was sent. When it is used up to four fifths although nothing has been lost
    so far, the cable is longer than the file says, frames are larger, or the other end is slower to stop: the next
    pause that comes at a worse moment loses packets.

Passes
    At most 80 % of the designed headroom was ever used.

Fails
    More than 80 % was.

Skips
    The switch does not report watermarks, or was not reached; or nothing that it pauses has a headroom by design.

Known limits
    A watermark counts from the last time that somebody cleared it, so that it may speak of an earlier cable. Chips that
    count shared headroom only are compared with it as they report.

Source
    SONiC, Command Reference, show priority-group watermark headroom; IEEE 802.1Q annex N (what headroom is for). Four
    fifths are a choice of ours. Catalogue code L07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.checks.contract import Seen
from fabric.checks.observed import observed, switches
from fabric.checks.outcomes import failed, passed, skipped
from fabric.results import CheckResult
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.network import Node
from fabric.settings.pfc import Pfc
from fabric.settings.state.watermarks import Watermarks

FACETS = (Watermarks,)
SAMPLES = 1

_MOST = 80


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one failure per port and priority that was nearly full, or one result per switch."""
    found = observed(seen, switches(seen.design), FACETS)
    yield from found.skips
    for name in found.nodes:
        yield from _switch(seen, seen.design.network.nodes[name])


def _switch(seen: Seen, node: Node) -> Iterator[CheckResult]:
    rows = seen.readings[node.name].state.rows(Watermarks)
    shares: list[int] = []
    full: list[CheckResult] = []
    for port, priority, size in _designed(node):
        row = rows.get(f"{port} {priority}")
        if row is None:
            continue
        shares.append(row.headroom * 100 // size)
        if row.headroom * 100 > size * _MOST:
            message = (
                f"priority {priority} of {node.name}:{port} had {row.headroom} of {size} bytes of headroom in use: its "
                "cable, frames or peer are not what was reckoned with"
            )
            full.append(
                failed(f"{node.name}:{port}", message, f"at most {size * _MOST // 100} bytes", f"{row.headroom} bytes")
            )
    if full:
        yield from full
    elif shares:
        yield passed(node.name, f"{node.name} has used at most {max(shares)} % of the headroom of any priority")
    else:
        yield skipped(node.name, f"{node.name} has no watermark of a priority with designed headroom", announced=True)


def _designed(node: Node) -> Iterator[tuple[str, int, int]]:
    """Yield port, priority and designed headroom (bytes) of all that is paused."""
    paused = node.settings.rows(Pfc)
    for port, row in node.settings.rows(Buffers).items():
        if not isinstance(row.headroom, Absent) and row.headroom and port in paused:
            for priority in sorted(paused[port].priorities):
                yield port, priority, row.headroom

"""Cables that carry a lossless class have a length.

What it does
    Reports each link without a length on which a priority is paused (PFC) at either end.

Why
    After a switch has asked its neighbour to pause, what is on the cable and what the neighbour sends until it listens
    still arrives, and must fit into the headroom. Twice the length of the cable is a part of that sum; without it the
    headroom is a guess, and too little of it loses packets only under load.

Fails
    ``{from: leaf, to: spine, speed: 400G}`` where class rdma is lossless.

Passes
    ``{from: leaf, to: spine, speed: 400G, length_m: 30}``; a link whose ports pause nothing.

Options
    None.

Known limits
    A length that is given is believed. A length of 0 counts as none.

Source
    IEEE 802.1Qbb annex O and IEEE 802.1Q annex N (buffer for pause: cable delay both ways). Catalogue code B10.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.settings.pfc import Pfc

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per lossless link without a length."""
    for link in network.links:
        if link.length:
            continue
        rows = (network.nodes[end.node].settings.rows(Pfc).get(end.port) for end in (link.a, link.b))
        paused = sorted(frozenset[int]().union(*(row.priorities for row in rows if row is not None)))
        if paused:
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"the cable between {link.a} and {link.b} has no length, and priority "
                f"{', '.join(map(str, paused))} is paused on it: headroom cannot be computed",
                measured="no length",
                bound="a length in metres",
                fix="write length_m, rather too much than too little",
            )

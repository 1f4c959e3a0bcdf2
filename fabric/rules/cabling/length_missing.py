"""Cables that carry a lossless class have a length.

What it does
    Reports the links without a length on which a priority is paused (PFC) at either end, once for each pair of roles.
    It is an error where a switch with a chip that is known was to have computed headroom there, and has none now.

Why
    After a switch has asked its neighbour to pause, what is on the cable and what the neighbour sends until it listens
    still arrives, and must fit into the headroom. Twice the length of the cable is a part of that sum; without it the
    headroom is a guess, and too little of it loses packets only under load.

Fails
    ``{from: leaf, to: spine, speed: 400G}`` where class rdma is lossless: a warning, and an error beside ``buffers:
    {headroom: auto}``.

Passes
    ``{from: leaf, to: spine, speed: 400G, length_m: 30}``; a link whose ports pause nothing. Headroom that is written
    leaves a warning, for nothing tells whether it is enough.

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

from fabric.design.chips import chip_at
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.network import End, Link, Network
from fabric.settings.pfc import Pfc

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per pair of roles with lossless links without a length, at the first of them."""
    found: dict[tuple[str, str], list[tuple[Link, str]]] = {}
    for link in network.links:
        paused = "" if link.length else _paused(network, link)
        if paused:
            roles = (network.nodes[link.a.node].role, network.nodes[link.b.node].role)
            found.setdefault(roles, []).append((link, paused))
    for (lower, upper), rows in found.items():
        (link, paused), more = rows[0], len(rows) - 1
        open_ = any(_open(network, end) for each, _ in rows for end in (each.a, each.b))
        others = f" (and {more} more between {lower} and {upper})" if more else ""
        yield Violation(
            path=f"{link.a.node}.links.{link.a.port}",
            message=f"the cable between {link.a} and {link.b}{others} has no length, and priority {paused} is paused "
            f"on it: {'headroom: auto is left to the device' if open_ else 'headroom cannot be computed'}",
            measured=f"{len(rows)} cable{'s' if more else ''} without a length",
            bound="a length in metres",
            fix="write length_m, rather too much than too little",
            severity=Severity.ERROR if open_ else None,
        )


def _open(network: Network, end: End) -> bool:
    """Tell whether headroom was to be computed at an end, as it would be if the length were known."""
    node = network.nodes[end.node]
    row = node.settings.rows(Buffers).get(end.port)
    return row is not None and isinstance(row.headroom, Absent) and chip_at(network, node) is not None


def _paused(network: Network, link: Link) -> str:
    """Return the priorities that either end of a link pauses, in words; nothing where there are none."""
    rows = (network.nodes[end.node].settings.rows(Pfc).get(end.port) for end in (link.a, link.b))
    return ", ".join(map(str, sorted(frozenset[int]().union(*(row.priorities for row in rows if row is not None)))))

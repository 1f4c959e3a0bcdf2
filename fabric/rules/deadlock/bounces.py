"""Packets turn up again at most as often as there are lossless priorities to tell such turns apart.

What it does
    Where ways that packets take now lead down and up again, counts the turns on the way with most of them, and compares
    them with the lossless priorities of the switches: a class whose packets may turn k times needs k + 1 of them.

Why
    Buffers wait in a circle only where packets that have turned share a buffer with packets that have not. With a
    priority for each number of turns they do not, whatever fails. With fewer, packets that turn once more must travel
    in a class that may be dropped.

Fails
    An AS number for each spine, leaf01 without its link to spine01, one lossless priority: from hosts that only reach
    spine01 the way to leaf01 turns once, at another leaf.

Passes
    Ways that only lead up and then down. Two lossless priorities where packets turn once.

Options
    None.

Known limits
    Whether packets change their priority when they turn is not known; that there are enough is needed, not sufficient.
    Only ways of now are counted. Whether turns close a circle is asked by deadlock.loop.

Source
    Hu et al., Tagger: practical PFC deadlock prevention in data center networks, CoNEXT 2017 (k bounces in a Clos
    network need k + 1 lossless priorities). Catalogue code C05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from fabric.analysis.bgp_routes import bits
from fabric.analysis.bgp_sessions import speakers
from fabric.analysis.buffer_loops import Ways, ordered, pausing
from fabric.analysis.failures import ways_today
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING

Counted: TypeAlias = tuple[int, tuple[str, ...]]
"""How often packets turn on a way, and the switches on it."""


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per family, for the way with most turns."""
    found = speakers(network)
    for family in () if ordered(found) else found.families:
        ways = ways_today(found, family)
        if not ways.turn():
            continue
        turns, way = _most(ways)
        lossless = sum(len(priorities) for priorities in pausing(network, found))
        if 0 < lossless <= turns:
            yield Violation(
                path=f"{way[0]}.bgp.router",
                message=f"packets of a lossless class turn up again {_times(turns)} on the way {' > '.join(way)}",
                measured=f"{_times(turns)}, {lossless} lossless priorit{'y' if lossless == 1 else 'ies'}",
                bound=f"{turns + 1} lossless priorities",
                fix="add the link whose absence makes packets turn, or carry those that turn in a class of their own",
            )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _most(ways: Ways) -> Counted:
    """Return the most turns on a way that packets take, and the first such way from a switch with hosts."""
    known: dict[tuple[int, str, str], Counted] = {}
    found = (_onwards(ways, bit, (source, source), known) for bit in _turning(ways) for source in ways.edge)
    return max(found, key=lambda each: each[0])


def _onwards(ways: Ways, bit: int, hop: tuple[str, str], known: dict[tuple[int, str, str], Counted]) -> Counted:
    """Return the way with most turns that packets to a destination take on from a hop, and how many these are.

    Ways of now are shortest ones, so none leads back. A switch whose own hosts send is its own sender.
    """
    sender, name = hop
    if (bit, *hop) not in known:
        there = ways.at.get(name, 0) >> bit & 1
        best: Counted = (0, ())
        for far, some in () if there else ways.hops[name].items():
            if some >> bit & 1:
                turns, way = _onwards(ways, bit, (name, far), known)
                turns += sender != name and ways.tier[sender] >= ways.tier[name] <= ways.tier[far]
                best = max(best, (turns, way), key=lambda each: (each[0], bool(each[1])))
        known[bit, sender, name] = best[0], (name, *best[1])
    return known[bit, sender, name]


def _turning(ways: Ways) -> Iterator[int]:
    """Yield the destinations towards which packets turn anywhere."""
    found = 0
    for name, senders in ways.carried.items():
        own = ways.tier[name]
        for sender, some in senders.items():
            for far in ways.onward(sender, name):
                if ways.tier[sender] >= own <= ways.tier[far]:
                    found |= some & ways.hops[name][far]
    return bits(found)

"""How long one pause lasts, and what a watchdog must therefore wait for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from fabric.settings.network import End, Network
from fabric.settings.watchdog import Watch, Watchdog

QUANTUM: Final = 512
"""Bits of one pause quantum."""

MOST_QUANTA: Final = 65535
"""The longest pause that one frame can ask for (16 bits)."""

MARGIN: Final = 100
"""Pauses in a row that a watchdog lets pass: a long incast is refreshed many times, and is no storm."""

USUAL: Final = 200
"""Milliseconds: what watchdogs are set to in the field, whatever the speed."""


def longest_pause(speed: int) -> Fraction:
    """Return how long one frame can stop a port of this speed (bit/s), in milliseconds: 65535 x 512 bits."""
    return Fraction(MOST_QUANTA * QUANTUM * 1000, speed)


def least_detection(speed: int) -> Fraction:
    """Return the shortest detection time (ms) that does not take a long incast for a storm, at this speed (bit/s).

    It is 100 pauses in a row, and at most the usual 200 ms: 100 pauses of 10G are 335 ms, and nobody waits for so long.
    """
    return min(MARGIN * longest_pause(speed), Fraction(USUAL))


def watched(network: Network) -> Iterator[tuple[End, int, Watch]]:
    """Yield each end of a link that has a watchdog, with the speed of the link in bit/s and the watchdog."""
    rows = {name: node.settings.rows(Watchdog) for name, node in network.nodes.items()}
    for link in network.links:
        for end in (link.a, link.b):
            row = rows[end.node].get(end.port)
            if row is not None:
                yield end, link.speed, row

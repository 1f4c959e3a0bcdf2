"""A watchdog does not take an incast for a storm.

What it does
    Compares the detection time of each port's watchdog with the longest pause that one frame can ask for at the speed
    of the port, a hundred times over; 200 ms are enough at any speed.

Why
    A pause lasts at most 65535 x 512 bits, and is refreshed while a queue stays full. A receiver that is busy refreshes
    it for a while, rightly. A watchdog that acts within that time drops packets of a lossless class although nothing is
    broken, and does so exactly under load.

Fails
    ``detect: 1ms`` at 400G: one pause lasts up to 0.084 ms, a hundred 8.4 ms. ``detect: 33ms`` at 100G (33.6 ms).

Passes
    ``detect: 34ms`` at 100G; ``detect: 200ms`` at 10G, where a hundred pauses are 335 ms.

Options
    None.

Known limits
    The factor of a hundred is a judgement, not a standard. Ports without a cable of the design have no speed, and are
    not judged.

Source
    IEEE 802.3 annex 31B (pause time of 16 bits in quanta of 512 bits: 0.3355 ms at 100G, 0.0839 ms at 400G). Catalogue
    code E06.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from fabric.analysis.ends import several
from fabric.analysis.pauses import least_detection, longest_pause, watched
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.units import format_duration, format_speed

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per detection time and speed at which it is too short, at the first port that has both."""
    least: dict[int, Fraction] = {}
    found: dict[tuple[int, int], list[End]] = {}
    for end, speed, row in watched(network):
        if speed not in least:
            least[speed] = least_detection(speed)
        if row.detect < least[speed]:
            found.setdefault((row.detect, speed), []).append(end)
    for (detect, speed), ends in found.items():
        pause = f"{float(longest_pause(speed)):.3g} ms"
        yield Violation(
            path=f"{ends[0].node}.watchdog.{ends[0].port}",
            message=f"the watchdog of {several(ends)} acts after {format_duration(detect)}, "
            f"and at {format_speed(speed)} one pause may last {pause}; a hundred in a row are no storm yet",
            measured=format_duration(detect),
            bound=f"at least {format_duration(ceil(least[speed]))}",
            fix="write pfc.watchdog.detect: 200ms",
            cause="pfc.watchdog.detect",
        )

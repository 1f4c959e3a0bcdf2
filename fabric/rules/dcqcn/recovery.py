"""How long senders take to climb back after congestion has gone.

What it does
    Prints for each kind of NIC ports how long a sender that was cut takes: F T for the fast recoveries, each halfway
    back to the rate before the cut; and C/(2 R_AI) T for additive increase from half of the link to all of it.

Why
    The figures are large, and explain what is seen after an incast: at 400G, steps of 5 Mbit/s every 300 us take
    seconds. They are what tuning R_AI and T buys, against stability.

Fails
    Every kind of NIC ports whose parameters are known, where the rule is asked for: it prints, and finds nothing wrong.

Passes
    NICs whose parameters mean nothing to us.

Options
    Runs only on request: ``fabric validate --select dcqcn.recovery``.

Known limits
    Without hyper increase (R_HAI), which shortens the second part where no CNP comes for long, and without the counter
    of bytes, which may raise rates before the timer does.

Source
    DCQCN (SIGCOMM 2015), the phases of increase. Catalogue code I08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.nic_kinds import nic_kinds
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import MEGABIT, format_speed

SEVERITY = Severity.NOTE
ON_REQUEST = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per kind of NIC ports, with both times."""
    for kind in nic_kinds(network):
        timer, step = kind.values["rpg_time_reset"], kind.values["rpg_ai_rate"]
        fast = kind.values["rpg_threshold"] * timer
        additive = kind.speed * timer // (2 * step * MEGABIT)
        yield Violation(
            path=kind.path,
            message=f"{kind.first} at {format_speed(kind.speed)}: fast recovery takes {fast} us, and then "
            f"{step} Mbit/s every {timer} us take {additive / 1e6:g} s from half of the link to all of it",
            measured=f"{fast} us and {additive} us",
            bound="as short as the loop stays stable",
            fix="nothing is wrong; a larger rpg_ai_rate or a shorter rpg_time_reset recovers faster",
        )

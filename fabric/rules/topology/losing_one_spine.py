"""What is left when one switch above fails is enough.

What it does
    For each switch in balance, takes away the switch above it to which most of its speed leads, and notes where what
    comes from below is then more than 1.5 times what still leads up.

Why
    A spine is down for each update. How slow jobs are meanwhile follows from how many spines there are, and should be
    known before: with two of them a failing one halves the fabric.

Fails
    16 hosts at 400G under a leaf with 8 links at 400G to each of two spines: 2.00 without one of them.

Passes
    The same with four links to each of four spines: 1.33 without one of them.

Options
    None.

Known limits
    A switch that is above its bound with all its links is reported by topology.oversubscription instead. The bound of
    1.5 is a choice of ours: a third of the traffic has to wait.

Source
    Gangidi et al., RDMA over Ethernet for distributed AI training at Meta scale, SIGCOMM 2024, section 3 (uplinks
    beyond what is needed, for what fails). Catalogue code B06.

Since
    0.1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from fabric.analysis.tiers import shut, speeds, upward
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.NOTE

_BOUND = Fraction(3, 2)


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch that one failure above leaves with too little."""
    up, down = speeds(network)
    for name, rows in upward(network, shut(network)).items():
        if network.nodes[name].kind != "switch" or not 0 < down[name] <= up[name]:
            continue
        above: Counter[str] = Counter()
        for link, far in rows:
            above[far] += link.speed
        lost, speed = above.most_common(1)[0]
        left = up[name] - speed
        if left and Fraction(down[name], left) > _BOUND:
            yield Violation(
                path=f"{name}.links",
                message=f"without {lost}, {name} takes {format_speed(down[name])} from below and can send "
                f"{format_speed(left)} up",
                measured=f"{float(Fraction(down[name], left)):.2f}",
                bound=f"{float(_BOUND):.1f}",
                fix=f"spread the links over more {network.nodes[lost].role} switches, or expect slower jobs",
            )

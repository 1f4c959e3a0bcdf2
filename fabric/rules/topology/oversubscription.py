"""A switch can send up what it receives from below.

What it does
    Adds up, for each switch with links both ways, the speed of its links downwards and upwards, and reports where
    down divided by up is above the bound: 1.0 where a class carries RDMA, 3.0 where none does. Links that are
    switched off do not count.

Why
    In the collective phases of training all hosts send at once. What does not fit through the uplinks fills the
    leaf's buffer, which then pauses its hosts: the job runs at the speed of the uplinks and every neighbour waits
    with it.

Fails
    A leaf with 16 hosts at 400G and 8 uplinks at 400G: 2.0.

Passes
    16 times 400G down and 16 times 400G up: 1.0.

Options
    None yet; the bound follows from the classes.

Known limits
    Traffic that stays below one leaf (rail-local) is not subtracted. Losing a spine is not calculated.

Source
    Al-Fares et al., A scalable, commodity data center network architecture, SIGCOMM 2008, section 2.1 (what
    oversubscription is, and its price); Gangidi et al., RDMA over Ethernet for distributed AI training at Meta scale,
    SIGCOMM 2024 (why training wants 1:1 or better). 3.0 for fabrics without RDMA is a choice of ours. Catalogue code
    B05.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.tiers import downward, upward
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per switch whose links downwards are faster than those upwards allow."""
    bound = Fraction(1) if any(each.rdma for each in design.classes) else Fraction(3)
    above = upward(network)
    for name, node in network.nodes.items():
        down = sum(link.speed for link, _ in downward(network, name))
        up = sum(link.speed for link, _ in above[name])
        if node.kind != "switch" or not up or Fraction(down, up) <= bound:
            continue
        yield Violation(
            path=f"{name}.links",
            message=f"{name} takes {format_speed(down)} from below and can send {format_speed(up)} up",
            measured=f"{float(Fraction(down, up)):.2f}",
            bound=f"{float(bound):.1f}",
            fix=f"add {format_speed(int(down / bound) - up)} of uplinks, or attach fewer hosts",
        )

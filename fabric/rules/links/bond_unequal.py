"""The members of a bond have one speed.

What it does
    Compares the speeds of the cables of each bond's members, on hosts and on leaves.

Why
    LACP joins only ports that are alike: those of another speed stay out of the bond. Where a system lets them in,
    flows are spread evenly and the slow member is full while the fast one idles.

Fails
    nic1p1 has a cable of 400G, nic1p2 one of 200G, and both are members of bond1.

Passes
    Both have cables of 400G.

Options
    None.

Known limits
    Members without a cable of the design are not judged.

Source
    IEEE 802.1AX section 6.3.5 (ports of one operational key aggregate; speed is a part of the key); HPE Aruba AOS-CX
    Link Aggregation Guide (with LACP a member of another speed is blocked).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bonds import Bonds
from fabric.settings.network import End, Network
from fabric.units import format_speed

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per bond whose members have different speeds."""
    for name, node in network.nodes.items():
        for bond, row in node.settings.rows(Bonds).items():
            ends = (End(name, port) for port in row.members)
            speeds = {end.port: network.ends[end][0].speed for end in ends if end in network.ends}
            if len(set(speeds.values())) > 1:
                said = ", ".join(f"{port} {format_speed(speed)}" for port, speed in speeds.items())
                yield Violation(
                    path=f"{name}.bonds.{bond}",
                    message=f"the members of {bond} on {name} have different speeds: {said}",
                    measured=said,
                    bound="one speed",
                    fix="give all cables of one NIC one speed, or take the bond away",
                )

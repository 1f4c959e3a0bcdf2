"""A port has one cable.

What it does
    Looks at both ends of every link, and reports each port that is the end of more than one.

Why
    A port takes one plug. A second cable in the plan means that a name is mistyped, or that one device has been
    counted on twice; whoever cables by this plan finds out in the rack.

Fails
    Two cables end at leaf01:swp1.

Passes
    Every port is the end of one link.

Options
    None.

Known limits
    A port that is broken out and one of its children count as different ports.

Source
    IEEE 802.3: a full-duplex link joins two ports, no more. Catalogue code B01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with several cables."""
    partners: dict[End, list[End]] = {}
    for link in network.links:
        partners.setdefault(link.a, []).append(link.b)
        partners.setdefault(link.b, []).append(link.a)
    for end, others in partners.items():
        if len(others) > 1:
            yield Violation(
                path=f"{end.node}.links.{end.port}",
                message=f"port {end} is cabled to {' and to '.join(map(str, others))}",
                measured=f"{len(others)} cables",
                bound="1 cable",
                fix="give all but one of these cables another port",
            )

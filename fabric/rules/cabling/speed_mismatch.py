"""Both ends of a link run at its speed.

What it does
    Compares the speed that both ports of a link are set to (or, live, run at) with each other and with the speed that
    the cable is planned for, and that speed with those that the ports of the models at both ends can run at.

Why
    Two ends with different speeds have no link at all. A link that came up slower than planned passes every test of
    connectivity and then halves the speed of the whole job, because a collective waits for its slowest rail.

Fails
    leaf01:swp1 is set to 400G and spine01:swp1 to 200G; both run at 100G while the cable is planned for 400G; a cable
    of 800G ends at a switch whose ports do 400G at most, or one of 30G at any port.

Passes
    Both ends run at the speed of the cable. An end whose speed is not known is not judged.

Options
    None.

Known limits
    FEC and lane counts are not compared.

Source
    IEEE 802.3: both ends of a link run the same physical layer. Speeds of ports from the hardware data of the model.
    Catalogue code B02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.limits import speeds_of
from fabric.settings.facet import Absent
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Link, Network
from fabric.units import format_speed

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link with an end at another speed, and one per end whose model has no such speed."""
    for link in network.links:
        yield from _not_offered(network, link)
        known = tuple(_speeds(network, link))
        wrong = tuple((end, speed) for end, speed in known if speed != link.speed)
        if wrong:
            end = wrong[0][0]
            found = ", ".join(f"{at} {format_speed(speed)}" for at, speed in known)
            yield Violation(
                path=f"{end.node}.links.{end.port}",
                message=f"the link between {link.a} and {link.b} is planned for {format_speed(link.speed)} "
                f"and does not run at it: {found}",
                measured=found,
                bound=f"{format_speed(link.speed)} at both ends",
                fix=f"set both ports to {format_speed(link.speed)}, or plan the cable for their speed",
            )


def _speeds(network: Network, link: Link) -> Iterator[tuple[End, int]]:
    for end in (link.a, link.b):
        speed = network.nodes[end.node].settings.rows(Links).get(end.port, Port()).speed
        if not isinstance(speed, Absent):
            yield end, speed


def _not_offered(network: Network, link: Link) -> Iterator[Violation]:
    for end in (link.a, link.b):
        node = network.nodes[end.node]
        offered = speeds_of(node)
        if offered and link.speed not in offered:
            slower = [speed for speed in offered if speed < link.speed]
            yield Violation(
                path=f"{end.node}.links.{end.port}",
                message=f"the link between {link.a} and {link.b} is planned for {format_speed(link.speed)}, "
                f"which the ports of {end.node} ({node.model}) do not run at",
                measured=format_speed(link.speed),
                bound=f"one of {', '.join(map(format_speed, offered))}",
                fix=f"plan the cable for {format_speed(max(slower, default=offered[0]))}, or choose another model",
            )

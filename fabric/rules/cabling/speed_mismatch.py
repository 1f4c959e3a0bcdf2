"""Both ends of a link run at its speed.

What it does
    Compares the speed that both ports of a link are set to (or, live, run at) with each other and with the speed that
    the cable is planned for, and that speed with the highest that the models at both ends can do.

Why
    Two ends with different speeds have no link at all. A link that came up slower than planned passes every test of
    connectivity and then halves the speed of the whole job, because a collective waits for its slowest rail.

Fails
    leaf01:swp1 is set to 400G and spine01:swp1 to 200G; both run at 100G while the cable is planned for 400G; a cable
    of 800G ends at a switch whose ports do 400G.

Passes
    Both ends run at the speed of the cable. An end whose speed is not known is not judged.

Options
    None.

Known limits
    FEC and lane counts are not compared.

Source
    Rule B02 of the catalogue.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.limits import fastest
from fabric.settings.facet import Absent
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Link, Network
from fabric.units import format_speed

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link with an end at another speed, and one per end that cannot run at the link's."""
    for link in network.links:
        yield from _too_fast(network, link)
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


def _too_fast(network: Network, link: Link) -> Iterator[Violation]:
    for end in (link.a, link.b):
        node = network.nodes[end.node]
        most = fastest(node)
        if most is not None and link.speed > most:
            yield Violation(
                path=f"{end.node}.links.{end.port}",
                message=f"the {format_speed(link.speed)} link between {link.a} and {link.b} is faster than the ports "
                f"of {end.node} ({node.model})",
                measured=format_speed(link.speed),
                bound=f"at most {format_speed(most)}",
                fix=f"plan the cable for {format_speed(most)}, or choose another model",
            )

"""Both ends of a link run at its speed.

What it does
    Compares the speed that both ports of a link are set to (or, live, run at) with each other and with the speed that
    the cable is planned for, and that speed with those that the ports of the switch models at both ends can run at: a
    whole port, or a part of one that is broken out.

Why
    Two ends with different speeds have no link at all. A link that came up slower than planned passes every test of
    connectivity and then halves the speed of the whole job, because a collective waits for its slowest rail.

Fails
    leaf01:swp1 is set to 400G and spine01:swp1 to 200G; both run at 100G while the cable is planned for 400G; a cable
    of 800G ends at a switch whose ports do 400G at most, or one of 30G at any port; a cable of 400G ends at half a port
    of a switch whose halves do 200G.

Passes
    Both ends run at the speed of the cable. An end whose speed is not known is not judged.

Options
    None.

Known limits
    FEC has a rule of its own, and so have NICs (nics.speed) and breakouts that a model does not have. Of some models
    only the fastest modes of a whole port are published: a slower usual speed is a warning there, which can be waived.

Source
    IEEE 802.3: both ends of a link run the same physical layer. Speeds of ports from the hardware data of the model.
    Catalogue code B02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.limits import model_of
from fabric.analysis.spots import spots
from fabric.hardware.lookup import switch
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Link, Network, Node
from fabric.units import format_speed

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link with an end at another speed, and one per end whose model has no such speed."""
    ports = {name: node.settings.rows(Links) for name, node in network.nodes.items()}
    offered = {name: dict(_offered(network, node)) for name, node in network.nodes.items()}
    for link in network.links:
        for end in (link.a, link.b):
            speeds = offered[end.node].get(end.port, ())
            if speeds and link.speed not in speeds:
                yield _not_offered(network, link, end, speeds)
        known = tuple(_speeds(ports, link))
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


def _speeds(ports: Mapping[str, Mapping[str, Port]], link: Link) -> Iterator[tuple[End, int]]:
    for end in (link.a, link.b):
        row = ports[end.node].get(end.port)
        if row is not None and not isinstance(row.speed, Absent):
            yield end, row.speed


def _offered(network: Network, node: Node) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each cabled port of a switch with the speeds that it, or such a part of a port, can run at."""
    model = model_of(node)
    if not isinstance(model, SwitchModel):
        return
    where = spots(network, node)
    for _, own, _ in network.links_of[node.name]:
        spot = where.get(own.port)
        if spot is not None:
            yield own.port, model.speeds_of(spot.ways)
        elif own.port not in where:
            yield own.port, model.speeds


def _not_offered(network: Network, link: Link, end: End, offered: tuple[int, ...]) -> Violation:
    node = network.nodes[end.node]
    spot = spots(network, node).get(end.port)
    ways = 1 if spot is None else spot.ways
    what = "ports" if ways == 1 else f"ports broken out {ways} ways"
    slower = [speed for speed in offered if speed < link.speed]
    plan = f"plan the cable for {format_speed(max(slower, default=offered[0]))}"
    perhaps = ways == 1 and link.speed < max(offered) and link.speed in switch("generic-64").speeds
    return Violation(
        path=f"{end.node}.links.{end.port}",
        message=f"the link between {link.a} and {link.b} is planned for {format_speed(link.speed)}, which the {what} "
        f"of {end.node} ({node.model}) {'are not known to' if perhaps else 'do not'} run at",
        measured=format_speed(link.speed),
        bound=f"one of {', '.join(map(format_speed, offered))}",
        fix=f"{plan}, or waive this where the ports do it"
        if perhaps
        else f"{plan}, break the port out otherwise, or choose another model",
        severity=Severity.WARNING if perhaps else None,
    )

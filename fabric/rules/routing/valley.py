"""No way leads down and up again.

What it does
    Asks, for each switch, whether a switch above it takes from it a path that leads up again to another switch above
    it, whether or not a shorter path makes that unneeded now. It is an error where a class is lossless and no watchdog
    ends long pauses on the cable on which such packets come down, else a warning.

Why
    A path that leads down and up again is a detour over links that were built for others. With PFC it is worse: only
    while all ways lead up first, and then down, are buffers in an order in which none can wait for itself. While routes
    settle after a loss, such paths are tried one after another, and packets go to and fro.

Fails
    ``spine: {asn: {first: 65000, per: device}}``: spine01 takes from leaf01 the path to leaf02 over spine02.
    ``allowas-in`` on a spine.

Passes
    ``spine: {asn: {first: 65000, per: tier}}``; ``per: pod`` below a tier with one number.

Options
    None.

Known limits
    Filters by AS path or community, which keep such paths away as well, are not known. Paths to the switches themselves
    are not asked about. Links between switches of one tier are a matter of topology.sideways-link.

Source
    RFC 7938 section 5.2.1 (one AS number for all switches of the upper tier, so that they do not take paths through
    each other); Tagger, CoNEXT 2017, section 2 (bounced paths). Catalogue code C03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.bgp_routes import Routes, converged, destinations
from fabric.analysis.bgp_sessions import Speakers, speakers
from fabric.analysis.buffer_loops import ordered, watched
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.settings.pfc import Pfc

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch between others, with the first pair of switches above it that it joins."""
    found = speakers(network)
    seen = set[str]()
    for family in () if ordered(found) else found.families:
        routes = converged(found, family, destinations(found, family).at)
        for name in found.asn:
            pair = _joined(found, routes, name)
            if pair and name not in seen:
                seen.add(name)
                yield _violation(network, found, name, pair)


def _joined(found: Speakers, routes: Routes, name: str) -> tuple[str, str] | None:
    """Return a switch above one that takes from it a path to what lies behind another one above it, and that one."""
    above = [far for far in found.hears[name] if found.tier[far] > found.tier[name]]
    for taker in above:
        if name not in found.hears[taker]:
            continue
        taken = routes.spare(taker).get(name, 0) | routes.hops[taker].get(name, 0)
        for far in above:
            if far != taker and taken & routes.hops[name].get(far, 0):
                return taker, far
    return None


def _violation(network: Network, found: Speakers, name: str, pair: tuple[str, str]) -> Violation:
    taker, far = pair
    end = found.hears[name][taker].ends[0]
    pause = network.nodes[name].settings.rows(Pfc).get(end.port)
    lossless = pause.priorities if pause is not None else frozenset()
    numbers = [f"AS {found.asn[each]}" for each in pair]
    return Violation(
        path=f"{taker}.bgp.router",
        message=f"{taker} takes from {name} paths over {far}: down and up again",
        measured=f"{numbers[0]} above {name} takes what {numbers[1]} says",
        bound="one AS number above a switch, not taken from below",
        fix=f"give {taker} and {far} the same AS number (per: tier, or per: pod below another tier), and take "
        "allowas-in and as-override out",
        severity=Severity.ERROR if lossless and not watched(network, (end,), lossless) else Severity.WARNING,
    )

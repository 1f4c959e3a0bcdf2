"""No buffers wait for each other in a circle after the loss of any one link, switch or host.

What it does
    Takes away each link between switches (where no other link stands beside it), each switch, and the hosts of each
    leaf, one at a time, and asks what BGP does then: in the moment, when whoever has lost its next hops falls back to
    any other path that it has heard of while others still send as before, and when all have heard of it. Reports the
    first loss after which buffers of a lossless class wait for each other in a circle, as deadlock.loop does for what
    is there now. It is an error, and a warning where watchdogs end long pauses on all of its cables.

Why
    A spine that loses its link to a leaf may know a way over another leaf and another spine. The other leaf does not
    know of the loss yet, and sends some of these packets back: for a moment they go to and fro, the buffers at both
    ends fill up, and with PFC a moment is enough. What then waits in a circle still waits when routes are right again.

Fails
    ``spine: {asn: {first: 65000, per: device}}`` with a lossless class: the path down to a leaf and up to the other
    spine holds no number twice, so it is permitted. NICs whose two ports are a bond to two leaves: a leaf that loses
    the link to such a host sends back up what the spines still send down.

Passes
    ``spine: {asn: {first: 65000, per: tier}}``: a spine that loses its link to a leaf has no other path, as each one
    holds its own number; the same in three tiers with one number for the spines of a pod and one for all above them. No
    lossless class.

Options
    None.

Known limits
    As with deadlock.loop: so a fabric that keeps such paths away by communities, with an AS number for each spine, is
    reported, and a waiver says how it does. Two losses at once are not asked about. That a fallback is chosen is
    assumed of all paths that a switch has heard of, not of the best one only. Leaves that share a VLAN keep the prefix
    when one host goes.

Source
    Hu et al., Deadlocks in datacenter networks: why do they form, and how to avoid them, HotNets 2016 (packets in a
    loop of routes, however short, with PFC); RFC 7938 sections 5.2.1 and 7 (AS numbers that keep paths from leading
    down and up, and what is lost without them). Catalogue code C02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.analysis.bgp_sessions import speakers
from fabric.analysis.buffer_loops import ordered, watched
from fabric.analysis.ends import listed
from fabric.analysis.failures import first_circles
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per family and set of priorities that are paused alike, with the first loss and circle."""
    found = speakers(network)
    numbered = ordered(found)
    for family in found.families:
        for closed in first_circles(network, found, family):
            first, ports = closed.ports[0], (*closed.ports, closed.ports[0])
            ends = watched(network, closed.ports, closed.priorities)
            yield Violation(
                path=f"{first.node}.pfc.{first.port}",
                message=f"after the loss of {closed.loss.words}, buffers of {listed(closed.priorities)} wait for each "
                f"other in a circle while routes change: {' > '.join(map(str, ports))}",
                measured=f"a circle of {len(closed.ports)} ports",
                bound="no circle",
                fix=_fix(numbered=numbered, ends=ends),
                severity=Severity.WARNING if ends else Severity.ERROR,
                cause="" if numbered else _numbers(network, closed.ports),
            )


def _numbers(network: Network, circle: Iterable[End]) -> str:
    """Return the key that gives AS numbers to the uppermost switches of a circle."""
    uppermost = max((network.nodes[end.node] for end in circle), key=lambda node: node.tier)
    return f"topology.switches.{uppermost.role}.asn"


def _fix(*, numbered: bool, ends: bool) -> str:
    """Return what to do, where AS numbers are or are not as they should be, and watchdogs end long pauses or not."""
    if not numbered:
        same = (
            "give all switches above one switch the same AS number, without allowas-in, so that no way leads down and "
            "up again"
        )
        return same if ends else f"{same}; until then write pfc: {{watchdog: {{...}}}}, which ends such a pause"
    if ends:
        return "bonds to two leaves are like that: the watchdog ends such a pause, and a waiver says that it may"
    return "write pfc: {watchdog: {...}}, which ends such a pause"

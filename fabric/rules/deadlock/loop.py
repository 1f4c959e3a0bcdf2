"""No buffers of a lossless class wait for each other in a circle.

What it does
    Works out from the BGP settings which ways packets take to every prefix of hosts, and from these which buffers wait
    for which: what a port holds back for a paused priority waits for the port that it goes on to. Reports the first
    circle of ports for each set of priorities that are paused on the same ports.

Why
    When all buffers of a circle are full, each waits for a pause that another one of them sends, and none ever ends.
    The ports stand still until someone resets them, and the pause spreads to all senders. Ways that lead up and then
    down have no circle; each way that leads down and up again may close one.

Fails
    An AS number for each spine, leaf01 without its link to spine01 and leaf03 without the one to spine02: leaf02 and
    leaf04 take packets from spine to spine, in opposite directions, and two such bends that face each other are a
    circle.

Passes
    Spines with one AS number in common, whatever links are missing. One missing link: bends in one direction.

Options
    None.

Known limits
    A circle is needed for a deadlock, and not enough for one: it takes load on all of its ports at once. Filters,
    weights and communities of BGP are not known, and take no way away; sessions within one AS number, static routes of
    switches and tunnels are not followed. Traffic to the switches themselves is not counted.

Source
    Dally and Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE Transactions on
    Computers, 1987 (no circle of dependencies); Hu et al., Tagger, CoNEXT 2017 (the same for PFC in a Clos network).
    Catalogue code C01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.bgp_sessions import speakers
from fabric.analysis.buffer_loops import circles, ordered
from fabric.analysis.ends import listed
from fabric.analysis.failures import ways_today
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per family and set of priorities that are paused alike, with the first circle."""
    found = speakers(network)
    for family in () if ordered(found) else found.families:
        for priorities, ports in circles(network, found, ways_today(found, family)):
            yield Violation(
                path=f"{ports[0].node}.pfc.{ports[0].port}",
                message=f"buffers of {listed(priorities)} wait for each other in a circle: "
                f"{' > '.join(map(str, (*ports, ports[0])))}",
                measured=f"a circle of {len(ports)} ports",
                bound="no circle",
                fix="give all switches above one switch the same AS number, so that no way leads down and up again, "
                "or add the links whose absence makes it a detour",
            )

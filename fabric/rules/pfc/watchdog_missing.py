"""Every paused priority of a switch is watched.

What it does
    Asks that each port of a switch that has PFC on has a watchdog, for just the priorities that it pauses.

Why
    A NIC that breaks can pause its leaf without end; so can a loop of buffers that wait for each other. The pause
    spreads until the fabric stands still, and nothing but a watchdog ends it: it drops what is stuck, on that port
    alone. One that watches priority 4 while 3 is paused looks right in every list, and never acts.

Fails
    A lossless class without ``pfc.watchdog``. leaf01:swp1 pauses priority 3, and its watchdog watches 4, or is off.

Passes
    Watchdogs on all ports that pause, for the priorities that they pause. No watchdog where nothing is paused.

Options
    None.

Known limits
    Nodes whose watchdogs are not known (hosts) are not judged. A watchdog of which the priorities are not known is
    believed to watch what its port pauses.

Source
    SONiC, PFC watchdog (off until it is switched on; ``pfcwd_sw_enable`` has its own list of priorities); Guo et al.,
    RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3. Catalogue code E05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed, several
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network, Node
from fabric.settings.pfc import Pfc
from fabric.settings.watchdog import Watchdog

SEVERITY = Severity.WARNING
_FIX = "write pfc: {watchdog: {detect: 200ms, restore: 400ms, action: drop}}, or switch it on where it is off"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation for a fabric without watchdogs, else one per node and set of priorities that it leaves."""
    judged = [node for node in network.nodes.values() if not isinstance(node.settings.get(Watchdog), Absent)]
    if not any(node.settings.rows(Watchdog) for node in judged):
        ends = [end for node in judged for end in _without(node)]
        if ends:
            yield _missing(ends)
        return
    for node in judged:
        ends = list(_without(node))
        if ends:
            yield _missing(ends)
        yield from _elsewhere(node)


def _without(node: Node) -> Iterator[End]:
    watched = node.settings.rows(Watchdog)
    for port, row in node.settings.rows(Pfc).items():
        if row.priorities and port not in watched:
            yield End(node.name, port)


def _missing(ends: list[End]) -> Violation:
    return Violation(
        path=f"{ends[0].node}.watchdog.{ends[0].port}",
        message=f"PFC is on at {several(ends)}, without a watchdog: a pause that does not end stays",
        measured="no watchdog",
        bound="a watchdog on every port with PFC",
        fix=_FIX,
    )


def _elsewhere(node: Node) -> Iterator[Violation]:
    watched = node.settings.rows(Watchdog)
    found: dict[tuple[frozenset[int], frozenset[int]], list[End]] = {}
    for port, row in node.settings.rows(Pfc).items():
        priorities = watched[port].priorities if port in watched else row.priorities
        if not isinstance(priorities, Absent) and priorities != row.priorities:
            found.setdefault((row.priorities, priorities), []).append(End(node.name, port))
    for (paused, priorities), ends in found.items():
        yield Violation(
            path=f"{node.name}.watchdog.{ends[0].port}",
            message=f"PFC is on for {listed(paused)}, and the watchdog watches {listed(priorities)}: {several(ends)}",
            measured=listed(priorities),
            bound=listed(paused),
            fix=f"let the watchdog watch {listed(paused)}",
        )

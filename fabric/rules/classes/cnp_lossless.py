"""Congestion notifications do not wait behind what they report.

What it does
    Follows the DSCP of class ``cnp`` through the maps of every port, and reports where it ends in a priority that is
    paused, or in the queue of such a priority. In the file: ``cnp`` must not be lossless nor share priority or queue
    with a class that is.

Why
    A CNP asks a sender to slow down. In a paused class it waits exactly when it is needed most: the sender goes on,
    the pause spreads, and congestion control that would have ended it arrives last.

Fails
    ``cnp: {dscp: 48, lossless: true}``. On leaf01, DSCP 48 maps to priority 3, for which PFC is on.

Passes
    ``cnp`` has a priority and a queue of its own, without PFC.

Options
    None.

Known limits
    A DSCP that another class claims as well is for classes.duplicate. A port that neither maps nor pauses, or whose map
    was not understood, is not judged. A fabric without a class named ``cnp`` has nothing to judge.

Source
    IEEE 802.1Qbb (pause works per priority); the RoCE presets of switch vendors, such as NVIDIA Cumulus Linux (RoCE in
    priority 3, CNP in priority 6, strict and without pause). Catalogue code D04.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.design.model import Design, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import End, Network, Node
from fabric.settings.pfc import Pfc

SEVERITY = Severity.ERROR

_FIX = "give cnp a priority and a queue of its own, without PFC; strict: true keeps it short"


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield what is wrong in the classes, else one violation per node, DSCP and paused priority."""
    cnp = next((each for each in design.classes if each.name == "cnp"), None)
    if cnp is None:
        return
    planned = tuple(_planned(cnp, design))
    yield from planned
    if not planned:
        others = {dscp for each in design.classes if each is not cnp for dscp in each.dscps}
        dscps = tuple(dscp for dscp in cnp.dscps if dscp not in others)
        for node in network.nodes.values():
            yield from _on_node(node, dscps)


def _planned(cnp: TrafficClass, design: Design) -> Iterator[Violation]:
    if cnp.lossless:
        message = f"class cnp is lossless: its packets wait when priority {cnp.priority} is paused"
        yield Violation("classes.cnp.lossless", message, "lossless", "lossy", "take lossless: true away from cnp")
        return
    for other in design.classes:
        if other.lossless and other.priority == cnp.priority:
            what, number = "priority", cnp.priority
        elif other.lossless and other.queue == cnp.queue:
            what, number = "queue", cnp.queue
        else:
            continue
        message = f"class cnp shares {what} {number} with the lossless class {other.name}"
        yield Violation(f"classes.cnp.{what}", message, f"{what} {number}", f"a {what} of its own", _FIX)


def _on_node(node: Node, dscps: tuple[int, ...]) -> Iterator[Violation]:
    pauses = node.settings.rows(Pfc)
    ports: dict[tuple[int, int, str], list[str]] = {}
    for port, maps in node.settings.rows(Maps).items():
        paused = pauses[port].priorities if port in pauses else frozenset()
        for dscp in dscps:
            priority = maps.dscp_to_priority[dscp]
            how = _waits(maps, priority, paused)
            if how:
                ports.setdefault((dscp, priority, how), []).append(port)
    for (dscp, priority, how), where in ports.items():
        yield Violation(
            path=f"{node.name}.maps.{where[0]}",
            message=f"on {several([End(node.name, port) for port in where])} DSCP {dscp} of cnp goes to priority "
            f"{priority}, {how}",
            measured=f"DSCP {dscp} in priority {priority}",
            bound="a priority and a queue without PFC",
            fix=_FIX,
        )


def _waits(maps: ClassMap, priority: int, paused: frozenset[int]) -> str:
    """Say why a priority is paused, or whose pause its queue shares; nothing when it runs freely or is not known."""
    if priority in paused:
        return "for which PFC is on"
    queue = maps.priority_to_queue[priority] if priority in range(8) else -1
    if queue < 0:
        return ""
    shared = sorted(other for other in paused if maps.priority_to_queue[other] == queue)
    return f"in queue {queue} with the paused priority {shared[0]}" if shared else ""

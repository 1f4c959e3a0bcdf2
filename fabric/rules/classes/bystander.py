"""Only lossless classes are paused.

What it does
    Follows every DSCP of a lossy class through the maps of each port, and reports those that end in the priority of a
    lossless class, on ports that pause it.

Why
    A packet in a paused priority is paused with it, and fills the buffer that was set aside for the class. A NIC that
    trusts DSCP sends whole groups of eight to one priority unless it is told otherwise: 24 to 31 to priority 3. Other
    traffic with such a DSCP then causes pauses, and waits in those of RDMA.

Fails
    gpu01:ens1np0 sends DSCP 24 to 31 to priority 3, and only 26 is of class rdma.

Passes
    26 alone goes to priority 3, all others to priorities that are not paused.

Options
    None.

Known limits
    CNPs have a rule of their own (classes.cnp-lossless), and priorities that are paused without a lossless class as
    well (pfc.not-lossless). Where a map sorts lossless classes elsewhere too, as the map of a factory does, that is for
    classes.maps-differ and classes.mark-not-carried. Where class ``default`` is lossless, what goes there is meant to.

Source
    mlx5 driver of Linux (trust by DSCP begins with priority = DSCP / 8); Guo et al., RDMA over Commodity Ethernet at
    Scale, SIGCOMM 2016, section 2 (bystanders of a pause). Catalogue code D03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.ends import several
from fabric.design.classes import CNP, DEFAULT, owners
from fabric.design.model import Design, TrafficClass
from fabric.ranges import runs_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pause, Pfc

SEVERITY = Severity.ERROR


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per node, paused priority and DSCPs that have no business in it."""
    owner = owners(design.classes)
    names = {found.priority: found.name for found in design.classes if found.lossless and found.name != DEFAULT}
    known: dict[tuple[int, int], Mapping[int, tuple[int, ...]]] = {}
    for name, node in network.nodes.items():
        maps = node.settings.rows(Maps)
        wrong: dict[tuple[int, tuple[int, ...]], list[End]] = {}
        for port, pause in node.settings.rows(Pfc).items():
            row = maps.get(port)
            if row is None:
                continue
            key = (id(row), id(pause))
            if key not in known:
                known[key] = _strangers(row, pause, names, owner)
            for priority, dscps in known[key].items():
                wrong.setdefault((priority, dscps), []).append(End(name, port))
        for (priority, dscps), ends in wrong.items():
            yield _violation(ends, priority, dscps, names[priority])


def _strangers(
    row: ClassMap, pause: Pause, names: Mapping[int, str], owner: Mapping[int, TrafficClass]
) -> Mapping[int, tuple[int, ...]]:
    """Return per paused priority of a lossless class the DSCPs of lossy classes that go there."""
    moved = any(
        of.lossless and of.priority in pause.priorities and row.dscp_to_priority[dscp] != of.priority
        for dscp, of in owner.items()
    )
    if moved:  # a map of another fabric, or of the factory: that lossless classes are not in their priority is said
        return {}
    found: dict[int, tuple[int, ...]] = {}
    for dscp, priority in enumerate(row.dscp_to_priority):
        of = owner[dscp]
        stranger = not of.lossless and of.name != CNP
        # Where its own priority is the paused one, two classes have it in the file: a rule of its own says so.
        if stranger and of.priority != priority and priority in names and priority in pause.priorities:
            found[priority] = (*found.get(priority, ()), dscp)
    return found


def _violation(ends: list[End], priority: int, dscps: tuple[int, ...], name: str) -> Violation:
    said = f"DSCP {runs_of(dscps)}"
    return Violation(
        path=f"{ends[0].node}.maps.{ends[0].port}",
        message=f"{several(ends)}: {said} goes to priority {priority}, which is paused for class {name}, "
        "and is of no lossless class",
        measured=f"{said} in priority {priority}",
        bound="only DSCPs of lossless classes in a paused priority",
        fix=f"map {said} to the priority of its class on {ends[0].node}, or add it to class {name}",
    )

"""A pause stops the queue of the packets that it is meant for.

What it does
    Compares, for every paused priority of a port, the queue that a pause stops with the queue of that priority's
    packets, and the ingress buffer (priority group) for which its pauses are sent with the group that its packets fill;
    where no table says otherwise, that is the group of its own number. And asks that no priority without PFC shares the
    group.

Why
    Some systems have a table of its own for what a pause stops. Where it does not agree with the queues, a pause for
    priority 3 stops another queue, and the packets that were to wait go on into a full buffer. A priority group is
    paused as a whole: a lossy class in it fills the headroom of the lossless one, and causes its pauses.

Fails
    Priority 3 is paused and has queue 3, and a pause for it stops queue 4. Packets of priority 3 fill group 2, for
    which pauses of priority 2 are sent. The priorities 3 and 1 share priority group 3, and only 3 is paused.

Passes
    Priority 3 has queue 3 and group 3 of its own, and a pause for it stops queue 3. Other numbers, on which all tables
    agree.

Options
    None.

Known limits
    Systems that have no such tables have nothing to judge. Classes that share a queue in the file are for
    classes.shared-queue.

Source
    SONiC, QoS tables (MAP_PFC_PRIORITY_TO_QUEUE, TC_TO_QUEUE_MAP, TC_TO_PRIORITY_GROUP_MAP,
    PFC_PRIORITY_TO_PRIORITY_GROUP_MAP); Cisco Nexus 9000, QoS guide (qos-group and pfc-cos are one number). Catalogue
    code D07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pfc

SEVERITY = Severity.ERROR

Fault = tuple[str, str, str, str]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per node and way in which its tables disagree, at the first port that has it."""
    for name, node in network.nodes.items():
        pauses = node.settings.rows(Pfc)
        ports: dict[Fault, list[End]] = {}
        for port, row in node.settings.rows(Maps).items():
            for priority in sorted(pauses[port].priorities) if port in pauses else ():
                for fault in _faults(row, priority, pauses[port].priorities):
                    ports.setdefault(fault, []).append(End(name, port))
        for (what, measured, bound, fix), ends in ports.items():
            yield Violation(f"{name}.maps.{ends[0].port}", f"{several(ends)}: {what}", measured, bound, fix)


def _faults(row: ClassMap, priority: int, paused: frozenset[int]) -> Iterator[Fault]:
    queue = row.priority_to_queue[priority]
    if not isinstance(row.pause_to_queue, Absent) and queue >= 0 and row.pause_to_queue[priority] != queue:
        stops = f"queue {row.pause_to_queue[priority]}"
        what = f"a pause for priority {priority} stops {stops}, and its packets are in queue {queue}"
        yield what, stops, f"queue {queue}", f"map pauses for priority {priority} to queue {queue}"
    if isinstance(row.priority_to_group, Absent):
        return
    group = row.priority_to_group[priority]
    sent = priority if isinstance(row.pause_to_group, Absent) else row.pause_to_group[priority]
    if group != sent:
        what = f"packets of priority {priority} fill priority group {group}, and its pauses are sent for group {sent}"
        yield what, f"group {group}", f"group {sent}", f"give priority {priority} the group {sent}"
    used = frozenset(row.dscp_to_priority)
    for other, its in enumerate(row.priority_to_group):
        if its == group and other in used and other not in paused:
            what = f"priority {other}, which is not paused, shares priority group {group} with priority {priority}"
            fix = f"give priority {other} another priority group"
            yield what, f"priorities {priority} and {other} in group {group}", "a priority group of its own", fix

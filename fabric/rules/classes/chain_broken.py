"""From DSCP to scheduler, every link of the chain is there.

What it does
    Follows each DSCP of each port to its priority, from there to the ingress buffer (priority group) and the egress
    queue, and to the row that the scheduler has for this queue. All numbers are 0 to 7, and each queue has a share or
    is strict.

Why
    A class is set up in four or five tables, and devices accept each of them by itself. Where one names a queue that
    the next does not know, the class has what the factory left there: no share, no marks, or the queue of all others.

Fails
    DSCP 26 goes to priority 3 and queue 3, and the scheduler has rows for the queues 0 and 6. A NIC gives 100% to
    queue 0 and nothing to queue 3. A map sends a DSCP to priority 8.

Passes
    Every queue that a DSCP can reach has a row with a share, or is strict.

Options
    None.

Known limits
    Priorities that no DSCP reaches are not followed. A class without a share in the file is for classes.shares. Tables
    that are not known, and entries that were not understood, are not judged.

Source
    SONiC, QoS tables (DSCP_TO_TC_MAP, TC_TO_QUEUE_MAP, TC_TO_PRIORITY_GROUP_MAP, QUEUE with a scheduler each).
    Catalogue code D02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.ends import several
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import ABSENT, Absent, Maybe
from fabric.settings.maps import UNKNOWN, ClassMap, Maps
from fabric.settings.network import End, Network
from fabric.settings.queues import Queues, Scheduler

SEVERITY = Severity.ERROR
NUMBERS = range(8)

Fault = tuple[str, str, str]


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per node and link of the chain that is broken, at the first port that has it."""
    starving = frozenset(found.queue for found in design.classes if not found.strict and not found.share)
    known: dict[tuple[int, int], tuple[Fault, ...]] = {}
    for name, node in network.nodes.items():
        ports: dict[Fault, list[End]] = {}
        queues = node.settings.get(Queues)
        for port, row in node.settings.rows(Maps).items():
            scheduler = ABSENT if isinstance(queues, Absent) else queues.rows.get(port)
            key = (id(row), id(scheduler))
            if key not in known:
                known[key] = tuple(_faults(row, scheduler, starving))
            for fault in known[key]:
                ports.setdefault(fault, []).append(End(name, port))
        for (what, measured, bound), ends in ports.items():
            yield Violation(
                path=f"{name}.maps.{ends[0].port}",
                message=f"{several(ends)}: {what}",
                measured=measured,
                bound=bound,
                fix="complete the chain: each priority in use has a queue, and the scheduler a row with a share for it",
            )


def _faults(row: ClassMap, scheduler: Maybe[Scheduler | None], starving: frozenset[int]) -> Iterator[Fault]:
    first: dict[int, int] = {}
    for dscp, priority in enumerate(row.dscp_to_priority):
        first.setdefault(priority, dscp)
    first.pop(UNKNOWN, None)
    queues: dict[int, int] = {}
    for priority in sorted(first):
        if priority not in NUMBERS:
            yield f"DSCP {first[priority]} goes to priority {priority}", f"priority {priority}", "0 to 7"
            continue
        group = ABSENT if isinstance(row.priority_to_group, Absent) else row.priority_to_group[priority]
        if not isinstance(group, Absent) and group not in NUMBERS:
            yield f"priority {priority} goes to priority group {group}", f"priority group {group}", "0 to 7"
        queue = row.priority_to_queue[priority]
        if queue not in (*NUMBERS, UNKNOWN):
            yield f"priority {priority} goes to queue {queue}", f"queue {queue}", "0 to 7"
        elif queue != UNKNOWN:
            queues.setdefault(queue, priority)
    if not isinstance(scheduler, Absent):
        yield from _unserved(queues, scheduler, starving)


def _unserved(queues: Mapping[int, int], scheduler: Scheduler | None, starving: frozenset[int]) -> Iterator[Fault]:
    """Yield the queues, each with a priority of it, that the scheduler does not serve."""
    if scheduler is None:
        if len(queues) > 1:
            listed = ", ".join(map(str, queues))
            yield f"its maps lead to the queues {listed}, and it has no scheduler", "no scheduler", f"queues {listed}"
        return
    rows = {row.number: row for row in scheduler.queues}
    without = {queue: priority for queue, priority in queues.items() if queue not in rows}
    starved = {
        queue: priority
        for queue, priority in queues.items()
        if queue in rows and not rows[queue].share and not rows[queue].strict and queue not in starving
    }
    for found, what, measured, bound in (
        (
            without,
            ("has no row in the scheduler", "have no rows in the scheduler"),
            "no row",
            "a row for each queue in use",
        ),
        (starved, ("has no share and is not strict", "have no shares and are not strict"), "0%", "above 0%, or strict"),
    ):
        if found:
            ways = ", ".join(f"priority {priority} goes to queue {queue}" for queue, priority in found.items())
            yield f"{ways}, which {what[len(found) > 1]}", f"queue {', '.join(map(str, found))}: {measured}", bound

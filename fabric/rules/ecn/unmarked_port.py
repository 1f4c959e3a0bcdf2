"""A queue that is to be marked is marked at every port that has it.

What it does
    Looks, for every queue of a class with ``ecn`` and every queue that marks on some port, for cabled ports of switches
    that protect the queue by PFC and do not mark.

Why
    Congestion is where the hot port is. Where that one marks nothing, senders learn of it by pauses alone, as if there
    were no ECN in the fabric. A device that lost its profile looks healthy until then.

Fails
    ECN on queue 3 of all leaves but one, as read; a profile that exists and is enabled nowhere.

Passes
    ECN on queue 3 of every port that has the class; a class that only some edge ports carry.

Options
    None.

Known limits
    Ports are told by their maps and by PFC. What is designed is the same everywhere, so it is readings that are found.
    A port that is not PFC-protected as others are is a matter of the rules of group pfc.

Source
    DCQCN (Zhu et al., SIGCOMM 2015) section 3: every switch is a congestion point. sonic-net/sonic-buildimage issue
    4545: a profile without its enables marks nothing. Catalogue code F01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.marking import queue_of, row_of
from fabric.design.model import Design
from fabric.design.thresholds_ports import lossless_queues
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.ecn import Ecn, PortMarking
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR
_NONE = PortMarking(())


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per switch and lossless queue that is to be marked, and is not at some of its ports."""
    switches = [node for node in network.nodes.values() if node.kind == "switch"]
    marked = {found.queue for found in design.classes if found.ecn} | {
        each.queue
        for node in switches
        for row in {id(row): row for row in node.settings.rows(Ecn).values()}.values()
        for each in row.queues
    }
    for node in switches if marked else ():
        for queue, ports in _unmarked(network, node, marked).items():
            yield Violation(
                path=row_of(node, ports),
                message=f"{queue_of(node, ports, queue)} is lossless and marks nothing, though it is marked elsewhere "
                "or its class has ecn",
                measured="no ECN",
                bound="ECN",
                fix=f"mark queue {queue} there as well, as designed",
            )


def _unmarked(network: Network, node: Node, marked: set[int]) -> dict[int, list[str]]:
    """Return the cabled ports of a switch that have a lossless queue of those that are marked, and do not mark it."""
    rows = node.settings.rows(Ecn)
    found: dict[int, list[str]] = {}
    known: dict[int, frozenset[int]] = {}
    for _, own, _ in network.links_of[node.name]:
        row = rows.get(own.port, _NONE)
        here = known.get(id(row))
        if here is None:
            here = known[id(row)] = frozenset(each.queue for each in row.queues)
        if not marked <= here:
            for queue in sorted((marked - here) & lossless_queues(node, own.port)):
                found.setdefault(queue, []).append(own.port)
    return found

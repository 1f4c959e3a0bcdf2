"""A lossless queue does not drop at egress.

What it does
    Compares the bytes beyond which a lossless queue drops at egress with what all queues of the switch share.

Why
    Lossless traffic is held back where it comes in: the switch pauses the sender when the ingress threshold is reached.
    A queue that drops before that makes the pause useless, as the packets are lost on the way out.

Fails
    A queue of a paused priority with an egress limit of 10 MB on a switch whose queues share 111 MB.

Passes
    No limit; a limit of the whole pool, as SONiC ships it (``egress_lossless_profile``, static).

Options
    None.

Known limits
    Speaks of what was read: the intent has no key for this limit. What is still in the headroom of the ports counts at
    egress, too, and is not added.

Source
    SONiC's shipped configurations: the static threshold of the lossless egress profile is the size of its pool. Those
    of one Tomahawk 3 switch are 2 to 3 % smaller than what comes in may take, hence a warning. Catalogue code G11.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.lossless_queues import lossless_queues
from fabric.design.budget import Budget, budget_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network, Node
from fabric.settings.queues import Queue, Queues

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per lossless queue of a port that drops too soon."""
    for node in network.nodes.values():
        limited = {id(row) for row in node.settings.rows(Queues).values() if any(map(_limited, row.queues))}
        found = budget_of(network, node) if limited else None
        if found is not None:
            yield from _judged(node, found)


def _limited(queue: Queue) -> bool:
    return isinstance(queue.drops_above, int)


def _judged(node: Node, found: Budget) -> Iterator[Violation]:
    for port, queues in lossless_queues(node):
        for queue in queues:
            if isinstance(queue.drops_above, int) and queue.drops_above < found.shared:
                yield Violation(
                    path=f"{node.name}.queues.{port}",
                    message=f"queue {queue.number} of {node.name}:{port} is lossless, and drops at egress beyond "
                    f"{queue.drops_above} bytes, while all queues of the switch share {found.shared}",
                    measured=f"{queue.drops_above} bytes",
                    bound=f"at least {found.shared} bytes",
                    fix="take the egress limit away, or make it the size of the pool",
                )

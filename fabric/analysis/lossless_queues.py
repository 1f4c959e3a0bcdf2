"""The egress queues of paused priorities."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.settings.maps import Maps
from fabric.settings.network import Node
from fabric.settings.pfc import Pfc
from fabric.settings.queues import Queue, Queues


def lossless_queues(node: Node) -> Iterator[tuple[str, tuple[Queue, ...]]]:
    """Yield each port with the queues of the priorities that it pauses, in order of their numbers.

    Ports whose map or scheduler is not known are left out; priorities of one queue count once. Ports that are alike
    share one answer.
    """
    maps, queues = node.settings.rows(Maps), node.settings.rows(Queues)
    alike: dict[tuple[int, int, int], tuple[Queue, ...]] = {}
    for port, pause in node.settings.rows(Pfc).items():
        classes, scheduler = maps.get(port), queues.get(port)
        if not pause.priorities or classes is None or scheduler is None:
            continue
        kind = (id(classes), id(scheduler), id(pause))
        if kind not in alike:
            numbers = {classes.priority_to_queue[priority] for priority in pause.priorities}
            alike[kind] = tuple(queue for queue in scheduler.queues if queue.number in numbers)
        yield port, alike[kind]

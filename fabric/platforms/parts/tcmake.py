"""tcmake: the tree that a port should have, from its speed, its queues and its map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from fabric.platforms.parts.tcform import ALWAYS, FIRST, HANDLE, NEVER, NO_SHARE, PREFERENCE, ROOT, SMALLEST, dscp_match
from fabric.platforms.parts.tctree import Class, Filter, Tree, again
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.links import Links
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.queues import Queue, Queues, Scheduler

_BURST_PER_SECOND = 1000  # a burst is what the rate carries in a millisecond
_BURST = 20_000  # bytes: two of the largest packets, for slow classes
_QUANTUM_PER_SHARE = 2_000  # bytes for each percent, so that what is borrowed follows the shares too
_ANY_PORT = "<port>"  # stands for the name in lines that all ports of one form share


def lines(settings: Settings) -> Mapping[str, tuple[str, ...]]:
    """Return the lines for ``tc -batch`` per port, for every port that has a speed and queues.

    Ports whose queues were read and could not be told in our words have none.
    """
    links, maps = settings.rows(Links), settings.rows(Maps)
    found = {}
    for port, scheduler in settings.rows(Queues).items():
        speed = links[port].speed if port in links else ABSENT
        text = _text(speed, scheduler, maps.get(port)) if speed is not ABSENT else ""
        if text:
            found[port] = tuple(text.replace(_ANY_PORT, port).split("\n"))
    return found


@lru_cache(maxsize=256)
def _text(speed: int, scheduler: Scheduler, maps: ClassMap | None) -> str:
    """Return the lines of any port that is set like this; kept, for thousands of ports are set alike."""
    return "\n".join(again(tree(_ANY_PORT, speed, scheduler, maps))) if _told(scheduler, maps) else ""


def _told(scheduler: Scheduler, maps: ClassMap | None) -> bool:
    numbers = [queue.share for queue in scheduler.queues]
    if maps is not None:
        numbers += [*maps.dscp_to_priority, *maps.priority_to_queue]
    return bool(scheduler.queues) and all(number >= 0 for number in numbers)


def tree(port: str, speed: int, scheduler: Scheduler, maps: ClassMap | None) -> Tree:
    """Return the tree of a port with this speed in bit/s; without a map everything goes to the first queue."""
    plain = _plain(maps) if maps is not None else 0
    default = maps.priority_to_queue[plain] if maps is not None else scheduler.queues[0].number
    root = Class(ROOT, "", "", "", speed, speed, _burst(speed), _burst(speed))
    leaves = tuple(_class(queue, speed) for queue in scheduler.queues)
    filters = tuple(_filters(maps, plain)) if maps is not None else ()
    return Tree(port, "htb", HANDLE, FIRST + default, (root, *leaves), filters)


def _plain(maps: ClassMap) -> int:
    """Return the priority of most DSCPs: it needs no filters of its own."""
    return max(range(8), key=lambda priority: (maps.dscp_to_priority.count(priority), -priority))


def _class(queue: Queue, speed: int) -> Class:
    ceil = speed if queue.limit in (ABSENT, None) else queue.limit
    rate = speed * queue.share // 100 or (ceil if queue.strict else SMALLEST)
    quantum = NO_SHARE + queue.share * _QUANTUM_PER_SHARE
    prio = "0" if queue.strict else "1"
    return Class(f"1:{FIRST + queue.number:x}", ROOT, prio, str(quantum), rate, ceil, _burst(rate), _burst(ceil))


def _burst(rate: int) -> str:
    return f"{max(_BURST, rate // 8 // _BURST_PER_SECOND)}b"


def _filters(maps: ClassMap, plain: int) -> Iterator[Filter]:
    queues = maps.priority_to_queue
    for priority in range(8):
        dscps = [dscp for dscp, found in enumerate(maps.dscp_to_priority) if found == priority]
        flowid = f"1:{FIRST + queues[priority]:x}"
        if priority == plain:
            continue
        if not dscps and queues[priority] != queues[plain]:
            yield Filter("ip", PREFERENCE["ip"] + priority, flowid, NEVER)
        for protocol in ("ip", "ipv6"):
            for dscp in dscps:
                yield Filter(protocol, PREFERENCE[protocol] + priority, flowid, dscp_match(protocol, dscp))
    yield Filter("all", PREFERENCE["all"] + plain, f"1:{FIRST + queues[plain]:x}", ALWAYS)

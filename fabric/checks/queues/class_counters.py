"""Marked packets leave by the queue of their class.

What it does
    Sends 20 marked packets of every class that both ports carry from each host to the next one on the same rail, reads
    the queue counters of the leaves before and after, and compares: towards the receiving host the class's queue must
    have sent at least the packets and bytes that arrived, and likewise on the uplinks of the sender's leaf, added up
    over all of them. With bonds, the ports of all their leaves are added up. Hosts with addresses of both families send
    as many packets again over IPv6.

Why
    Maps and queues can be set as designed and still not take effect. A packet counted in its queue is proof that the
    whole chain holds: mark, DSCP, priority, queue.

Passes
    The counters moved by at least the packets and their bytes; other traffic may move them further.

Fails
    They moved by less, the port has no such queue, or no packet of the class arrived.

Skips
    The leaf does not report counters, a counter was reset in between, or the host was not reached or cannot send.

Known limits
    Large packets of others in the same class can hide a fault: prove it on an idle fabric. Spines are not looked at,
    nor the uplinks where bonds of both hosts lead to one leaf, as packets then need none.

Source
    RFC 2474 (a packet is treated by its DSCP, on each hop). Catalogue code D02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric.changes.reading import Reading
from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, look, passed, skipped
from fabric.checks.pings import can_ping, host_address, over, ring
from fabric.design.model import Design, Rail, TrafficClass
from fabric.platforms.contract import Ping, Pong
from fabric.results import CheckResult
from fabric.settings.bonds import Bonds
from fabric.settings.network import End, Network
from fabric.settings.state.counters import Counters, QueueCount

FACETS = (Counters,)
SAMPLES = 2

_PACKETS = 20
_SIZE = 1280  # every path takes it, and a few of them outweigh the small packets of routing protocols


@dataclass(frozen=True, slots=True)
class _Way:
    """Ports by which packets leave that are sent to the same side, in order; of one leaf, or of those of a bond."""

    ends: tuple[End, ...]

    @property
    def leaves(self) -> tuple[str, ...]:
        """The leaves, in order."""
        return tuple(dict.fromkeys(end.node for end in self.ends))

    def __str__(self) -> str:
        ports = {leaf: "+".join(end.port for end in self.ends if end.node == leaf) for leaf in self.leaves}
        return "+".join(f"{leaf}:{names}" for leaf, names in ports.items())


def stimulus(design: Design) -> tuple[Ping, ...]:
    """Return 20 marked packets per class, host, rail that carries it, and family of addresses."""
    return tuple(_ping(each, *pair) for each in _marked(design) for pair in ring(design) if _carried(each, *pair))


def _carried(each: TrafficClass, *rails: Rail) -> bool:
    """Tell whether the ports of all these rails carry a class."""
    return all(each.carried(rail.role or None) for rail in rails)


def _marked(design: Design) -> tuple[TrafficClass, ...]:
    return tuple(each for each in design.classes if each.mark is not None or each.dscps)


def _ping(each: TrafficClass, sender: Rail, receiver: Rail) -> Ping:
    mark = each.mark if each.mark is not None else each.dscps[0]
    return Ping(sender.node, host_address(sender), host_address(receiver), size=_SIZE, count=_PACKETS, dscp=mark)


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one skip per leaf without counters, one result per pair with silent classes, one per class and way."""
    unseen = dict(_unseen(seen))
    yield from unseen.values()
    arrived: dict[tuple[str, _Way], int] = {}
    pongs = {pong.ping: pong for pong in seen.pongs}
    for sender, receiver in ring(seen.design):
        if asked(seen, sender.node):
            yield from _pair(seen, sender, receiver, pongs, arrived)
    for each in _marked(seen.design):
        for (name, way), packets in arrived.items():
            if name == each.name and asked(seen, *way.leaves) and unseen.keys().isdisjoint(way.leaves):
                yield _moved(seen, each, way, packets)


def _pair(
    seen: Seen, sender: Rail, receiver: Rail, pongs: Mapping[Ping, Pong], arrived: dict[tuple[str, _Way], int]
) -> Iterator[CheckResult]:
    """Add up in ``arrived`` what passed each way, and yield a result when nothing came back of some classes."""
    silent: dict[str, int] = {}
    for each in _marked(seen.design):
        if not _carried(each, sender, receiver):
            continue
        pong = pongs.get(_ping(each, sender, receiver))
        if pong is None or not pong.received:
            silent[each.name] = pong.sent if pong else 0
            continue
        for way in _ways(seen.design.network, sender, receiver):
            arrived[each.name, way] = arrived.get((each.name, way), 0) + pong.received
    if silent:
        yield _silent(seen, sender, receiver, silent)


def _unseen(seen: Seen) -> Iterator[tuple[str, CheckResult]]:
    """Yield the leaves whose counters could not be looked at twice, with the reason."""
    leaves = dict.fromkeys(leaf for rail in seen.design.rails for leaf in _leaves(rail))
    for leaf in (leaf for leaf in leaves if asked(seen, leaf)):
        for before in (True, False):
            found = look(seen, leaf, Counters, before=before)
            if isinstance(found, CheckResult):
                yield leaf, found


def _silent(seen: Seen, sender: Rail, receiver: Rail, classes: Mapping[str, int]) -> CheckResult:
    """Say why nothing came back; ``classes`` are the packets sent per class of which nothing did."""
    at = f"{sender.node}:{sender.port}"
    what = f"class {', '.join(classes)}"
    sent = max(classes.values())
    for name in (sender.node, receiver.node):
        if name in seen.unreached:
            return skipped(at, f"{what}: {name} was not reached")
    if not sent:
        announced = not can_ping(seen.design.network.nodes[sender.node])
        return skipped(at, f"{what}: {sender.node} sent nothing", announced=announced)
    way = f"from {at} to {receiver.node}:{receiver.port}{over(sender)}"
    message = f"{what}: none of {sent} packets each {way} came back"
    return failed(at, message, f"{sent} packets each", "0")


def _leaves(rail: Rail) -> tuple[str, ...]:
    return rail.leaves or (rail.leaf,)


def _ways(network: Network, sender: Rail, receiver: Rail) -> Iterator[_Way]:
    """Yield by which ports of the leaves a packet leaves: up from the sender's, down to the receiver."""
    if set(_leaves(sender)).isdisjoint(_leaves(receiver)):
        up = tuple(
            own
            for leaf in _leaves(sender)
            for _, own, far in network.links_of[leaf]
            if network.nodes[far.node].tier > network.nodes[leaf].tier
        )
        if up:
            yield _Way(up)
    bond = network.nodes[receiver.node].settings.rows(Bonds).get(receiver.port)
    ends = (End(receiver.node, port) for port in (bond.members if bond else (receiver.port,)))
    down = tuple(network.ends[end][1] for end in ends if end in network.ends)
    if down:
        yield _Way(down)


def _moved(seen: Seen, each: TrafficClass, way: _Way, packets: int) -> CheckResult:
    before = _counts(seen.before, way, each.queue)
    after = _counts(seen.readings, way, each.queue)
    what = f"class {each.name}: queue {each.queue} of {way}"
    if not after:
        return failed(str(way), f"{what} is not there", f"queue {each.queue}", "no such queue")
    new = QueueCount(0, 0, 0)
    counts = [count.packets - before.get(end, new).packets for end, count in after.items()]
    sizes = [count.octets - before.get(end, new).octets for end, count in after.items()]
    if min(*counts, *sizes) < 0:
        return skipped(str(way), f"{what} was reset between the samples")
    found = f"{sum(counts)} packets, {sum(sizes)} bytes"
    if sum(counts) < packets or sum(sizes) < packets * _SIZE:
        message = f"{what} counted {found} while {packets} packets of {_SIZE} bytes were marked for it"
        return failed(str(way), message, f"at least {packets} packets, {packets * _SIZE} bytes", found)
    return passed(str(way), f"{what} counted {found}; {packets} packets of {_SIZE} bytes are ours")


def _counts(readings: Mapping[str, Reading], way: _Way, queue: int) -> dict[End, QueueCount]:
    found = ((end, readings[end.node].state.rows(Counters).get(f"{end.port} {queue}")) for end in way.ends)
    return {end: count for end, count in found if count is not None}

"""Packets of the full MTU pass from host to host.

What it does
    Sends echo requests of exactly the IP MTU of both NIC ports (the smaller one), with fragments forbidden, from every
    host to the next one on the same rail, and from the last to the first; over IPv4 and IPv6 where hosts have both.

Why
    One port with a smaller MTU drops the large packets of RDMA and lets all small ones pass: sessions are up, pings
    work, jobs hang. Only a packet of full size on the real path shows it.

Passes
    An echo came back.

Fails
    No echo came back; the message carries the system's own word (such as "message too long").

Skips
    The sending host was not reached or cannot send such packets, or the receiving host was not reached and is silent.

Known limits
    ECMP sends one ping over one of several paths: a fault on another one is found by comparing the settings.
    A smaller path MTU that the sending host remembers from before is cleared first, where the login may do that.

Source
    RFC 1191 (don't fragment), RFC 792 (echo).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, passed, skipped
from fabric.checks.pings import can_ping, host_address, over, ring
from fabric.design.model import Design, Rail
from fabric.platforms.contract import Ping, Pong
from fabric.results import CheckResult
from fabric.settings.facet import Absent
from fabric.settings.links import Links

FACETS = ()
SAMPLES = 1


def stimulus(design: Design) -> tuple[Ping, ...]:
    """Return three full-size pings per host, rail and family of addresses."""
    return tuple(_ping(design, sender, receiver) for sender, receiver in ring(design))


def _ping(design: Design, sender: Rail, receiver: Rail) -> Ping:
    return Ping(
        sender.node, host_address(sender), host_address(receiver), size=_size(design, sender, receiver), count=3
    )


def _size(design: Design, sender: Rail, receiver: Rail) -> int:
    """Return the IP MTU (bytes) that both ports are designed to have: of two, the smaller."""
    rows = (design.network.nodes[rail.node].settings.rows(Links).get(rail.port) for rail in (sender, receiver))
    return min(design.mtu if row is None or isinstance(row.mtu, Absent) else row.mtu for row in rows)


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per host, rail and family that was asked."""
    pongs = {pong.ping: pong for pong in seen.pongs}
    for sender, receiver in ring(seen.design):
        if asked(seen, sender.node):
            yield _result(seen, sender, receiver, pongs.get(_ping(seen.design, sender, receiver)))


def _result(seen: Seen, sender: Rail, receiver: Rail, pong: Pong | None) -> CheckResult:
    at = f"{sender.node}:{sender.port}"
    way = f"from {at} to {receiver.node}:{receiver.port}{over(sender)}"
    what = f"packets of {_size(seen.design, sender, receiver)} bytes {way}"
    if sender.node in seen.unreached:
        return skipped(at, f"{sender.node} was not reached")
    if pong is None:
        return skipped(
            at, f"{sender.node} sent no {what}", announced=not can_ping(seen.design.network.nodes[sender.node])
        )
    if pong.received:
        return passed(at, f"{what} arrive")
    if receiver.node in seen.unreached:
        return skipped(at, f"{receiver.node} was not reached")
    why = f" ({pong.reason})" if pong.reason else ""
    return failed(at, f"{what} do not arrive{why}", "an echo", f"0 of {pong.sent}")

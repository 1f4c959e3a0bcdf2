"""ping: echoes of an exact size that may not be cut, by the ``ping`` of iputils."""

from __future__ import annotations

import re
from ipaddress import ip_address

from fabric.changes.command import Command, Effect, Output
from fabric.errors import PlatformError
from fabric.platforms.contract import Ping, Pong

TOO_LONG = "message too long"
UNREACHABLE = "unreachable"
NO_REPLY = "no reply"

_HEADERS = {4: 28, 6: 48}  # bytes of IP and ICMP headers, by version
_SENT = re.compile(r"(\d+) packets transmitted, (\d+) (?:packets )?received")
_REASONS = (
    (TOO_LONG, re.compile(r"message too long|frag needed|packet too big", re.IGNORECASE)),
    (UNREACHABLE, re.compile(r"unreachable|no route|cannot assign", re.IGNORECASE)),
)


def ping(wanted: Ping) -> Command:
    """Return the command that sends the echoes.

    A path MTU that was smaller before is remembered for ten minutes, in which the host would not even send; such a
    memory on the way to the destination is cleared first (the kernel learns it again when it still holds).
    """
    version = ip_address(wanted.destination).version
    route = f"ip -{version} route"
    # IPv6 keeps such memories in the table that routed the packet, and flushes those of table main unless told.
    memories = "cache" if version == 4 else "table all cache"
    asked = f"{route} get {wanted.destination} from {wanted.source} 2>&-"
    forget = f"{asked} | grep -q 'expires.* mtu' && {route} flush {memories}"
    return Command(
        f"{forget}; ping -{version} -n -M do -s {max(wanted.size - _HEADERS[version], 0)} -c {wanted.count} -i 0.01 "
        f"-W {wanted.wait:g} -I {wanted.source} -Q {wanted.dscp << 2} {wanted.destination}",
        Effect.TRAFFIC,
        timeout=wanted.count * (wanted.wait + 0.01) + 10,
    )


def pong(wanted: Ping, output: Output) -> Pong:
    """Say what came back; PlatformError when there is no ``ping``, or it did not understand us."""
    said = output.text + output.error
    counts = _SENT.search(output.text)
    reason = next((word for word, pattern in _REASONS if pattern.search(said)), "")
    if counts is None:
        if reason:
            return Pong(wanted, wanted.count, 0, reason)
        raise PlatformError(
            f"ping from {wanted.source} to {wanted.destination} could not be sent: {said.strip() or 'it said nothing'}",
            where=wanted.node,
            hint="ping of iputils is expected on the node (Debian: apt install iputils-ping)",
        )
    received = int(counts[2])
    return Pong(wanted, int(counts[1]), received, "" if received else reason or NO_REPLY)

"""tcform: the form of our tree, which `tcmake` makes and `tc` reads.

``htb`` with handle ``1:``, one class ``1:1`` at the speed of the link, and below it one class ``1:1<n>`` per queue
``n``. A queue with a share has that rate and may borrow up to its limit. A strict queue has its limit as its rate and
goes first: htb serves classes within their rate before classes that borrow, whatever their order. A queue with
neither share nor strictness has the smallest rate. The quantum tells a share of none from a limit that equals it.

Filters carry the priority in their preference: IPv4 at 100, IPv6 at 200, all the rest at 300, each plus the priority.
A priority whose queue is not the plain one and that no DSCP leads to has a filter that matches no packet, so that
what is read back is all that was designed.
"""

from __future__ import annotations

from typing import Final

HANDLE: Final = "1"
ROOT: Final = "1:1"
FIRST: Final = 0x10
SMALLEST: Final = 8000  # bit/s
NO_SHARE: Final = 10_000  # bytes a turn, one of the largest packets; a class with a share has more

PREFERENCE: Final = {"ip": 100, "ipv6": 200, "all": 300}

# Matches as tc prints them: value/mask and offset of a 32-bit word of the IP header.
ALWAYS: Final = (("00000000/00000000", "0"),)
NEVER: Final = (("00000000/f0000000", "0"),)  # IP version 0

_DSCP = {"ip": ("00fc0000", 18), "ipv6": ("0fc00000", 22)}


def dscp_match(protocol: str, dscp: int) -> tuple[tuple[str, str], ...]:
    """Return the match of a DSCP in IPv4 or IPv6."""
    mask, shift = _DSCP[protocol]
    return ((f"{dscp << shift:08x}/{mask}", "0"),)


def dscp_of(protocol: str, matches: tuple[tuple[str, str], ...]) -> int | None:
    """Return the DSCP of such a match; ``None`` for any other."""
    mask, shift = _DSCP.get(protocol, ("", 0))
    if len(matches) != 1:
        return None
    value, _, found = matches[0][0].partition("/")
    return int(value, 16) >> shift if (found, matches[0][1]) == (mask, "0") else None


def queue_of(class_id: str) -> int | None:
    """Return the queue of a class of ours (``1:13`` is queue 3), ``None`` for other classes."""
    major, _, minor = class_id.partition(":")
    number = int(minor or "0", 16) - FIRST
    return number if major == HANDLE and 0 <= number <= 7 else None

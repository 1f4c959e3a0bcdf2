"""Pausing: at which queue a switch begins to pause, how much arrives before senders slow down, and what that allows.

The limit of an ingress priority group is alpha times what is left of the shared pool. Where m equal ingress ports feed
one egress queue and everything else is idle, the queue is the sum of the m groups, and with it solves to
m alpha S / (1 + m alpha). (Choudhury and Hahne, "Dynamic Queue Length Thresholds", 1998; m = 1 is the pause point that
SONiC's own tests compute.)
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, sqrt
from typing import Final

MANY: Final = 100_000
"""More senders than an intent can declare."""
_GIGA: Final = 10**9


def pauses_at(alpha: float, shared: int, senders: int) -> Fraction:
    """Return the bytes of one egress queue at which pauses begin, fed evenly by ``senders`` ingress ports.

    ``shared`` is the pool in bytes that all queues share. The same formula with one sender is what one queue may hold.
    """
    together = senders * Fraction(alpha)
    return together * shared / (1 + together)


def comes_late(speed: int, delay: int, senders: int) -> Fraction:
    """Return the bytes that ``senders`` at line rate add to a queue of a port until they slow down.

    ``speed`` of the port in bit/s, ``delay`` in ns.
    """
    return Fraction((senders - 1) * speed * delay, 8 * _GIGA)


def most_senders(kmin: int, late: Fraction, alpha: float, shared: int) -> int:
    """Return the largest number of senders that slow down before pauses begin; 0 where not even one does.

    ``kmin`` is where marking begins and ``late`` what each further sender adds until it slows down, both in bytes. That
    is the larger root m of (kmin + (m - 1) late) (1 + m alpha) = m alpha S, rounded down.
    """
    if late <= 0:
        return MANY if kmin <= pauses_at(alpha, shared, 1) else 0
    square, linear = alpha * float(late), float(late) + alpha * float(kmin - late - shared)
    inner = linear * linear - 4 * square * float(kmin - late)
    root = floor((sqrt(max(inner, 0.0)) - linear) / (2 * square))
    near = (root + 1, root, root - 1)  # floats may be off by one at a root that is whole
    fits = (m for m in near if m >= 1 and kmin + (m - 1) * late <= pauses_at(alpha, shared, m))
    return next(fits, 0)

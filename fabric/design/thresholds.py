"""Thresholds: where ``auto`` marks on one port, from what is known of it; or why that stays open.

A profile says what to aim at; three bounds may lower it: Kmax <= alpha S / (1 + alpha), so that the queue of a single
feeder is marked in full before it is paused; Kmin + (m - 1) Bps tau <= m alpha S / (1 + m alpha), so that m senders
slow down before they are paused; Kmax <= S for a class that nothing pauses. From below, marking begins at one packet
and the ramp is four packets long, as a shorter one is a step. What can be set is whole cells, or what the system takes:
always rounded down, which marks earlier.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Final

from fabric.design.pausing import comes_late, pauses_at
from fabric.design.profiles import DEFAULT_PROFILE, PROFILES

if TYPE_CHECKING:
    from fabric.design.model import TrafficClass
    from fabric.design.profiles import Aim, Profile
    from fabric.hardware.granularity import Granularity

DEFAULT_INCAST: Final = 8
"""Senders to one receiver where the intent says nothing: all NICs of a server of eight, and the middle of what the
DCQCN paper measures (2 to 16)."""
RAMP: Final = 4
"""Packets between Kmin and Kmax at least."""
LEAST: Final = 2
"""Packets that Kmax is at least: a queue is never shorter than what is being sent."""
_GIGA: Final = 10**9


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of one queue of one port.

    ``speed`` in bit/s, ``mtu`` the IP MTU in bytes (0: not known), ``trip`` the base round trip and ``reaction`` how
    much later senders slow down, in ns; ``no_trip`` says why there is none. ``lossless`` tells whether pauses protect
    the queue; ``alpha`` is the limit of what feeds it, or of itself where nothing does, and ``shared`` the pool in
    bytes; ``no_pool`` says why one of the two is ``None``.
    """

    speed: int
    mtu: int
    trip: int | None
    reaction: int
    lossless: bool
    alpha: float | None
    shared: int | None
    granularity: Granularity
    no_trip: str = ""
    no_pool: str = ""

    @property
    def bdp(self) -> Fraction | None:
        """The bytes of a base round trip at line rate."""
        return None if self.trip is None else Fraction(self.speed * self.trip, 8 * _GIGA)

    @property
    def delay(self) -> int | None:
        """From the first marked packet until senders are slower, in ns (tau)."""
        return None if self.trip is None else self.trip + self.reaction


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the intent says of marking in a class: the profile, the senders, and what is written instead of ``auto``.

    ``kmin`` and ``kmax`` are bytes; ``None`` is ``auto``.
    """

    profile: Profile
    incast: int
    kmin: int | None = None
    kmax: int | None = None
    pmax: float | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Kmin and Kmax in bytes, Pmax in percent; ``None`` where ``reason`` says why they are open.

    ``lowered`` says which bounds are below what the profile aims at.
    """

    kmin: int | None
    kmax: int | None
    pmax: float | None
    reason: str = ""
    lowered: tuple[str, ...] = ()


def wanted(found: TrafficClass, speed: int) -> Wanted:
    """Return what a class wants on a port of this speed (bit/s)."""
    profile = PROFILES[found.profile or DEFAULT_PROFILE]
    return Wanted(profile, found.incast or DEFAULT_INCAST, found.kmin_on(speed), found.kmax_on(speed), found.pmax)


def thresholds(want: Wanted, at: Surroundings) -> Thresholds:
    """Return where to mark, or why that is open: never a value that breaks a bound that is known."""
    pmax = want.profile.pmax if want.pmax is None else want.pmax
    kmin, kmax = _aimed(want, at)
    if kmin is None or kmax is None:
        return Thresholds(want.kmin, want.kmax, pmax, f"{want.profile.name} needs a round trip, and {at.no_trip}")
    if at.granularity.unit == "percent" and not at.granularity.queue:
        return Thresholds(want.kmin, want.kmax, pmax, f"percents need the buffer of a queue, and {at.no_pool}")
    high, low = upper(at), incast_bound(at, want.incast)
    lowered = []
    if want.kmax is None:
        kmax, reached = _within(kmax, high)
        lowered += [f"Kmax to {_whole(high)} B, where a single feeder is paused or dropped"] if reached else []
        kmax = Fraction(at.granularity.down(kmax))
    if want.kmin is None:
        kmin, reached = _within(kmin, low)
        lowered += [f"Kmin to {_whole(low)} B, so that {want.incast} senders slow down in time"] if reached else []
        kmin = _ramped(kmin, kmax, at, ramp=want.kmax is None)
    reason = _refused(kmin, kmax, want, at)
    if reason:
        return Thresholds(want.kmin, want.kmax, pmax, reason)
    return Thresholds(_whole(kmin), _whole(kmax), pmax, "", tuple(lowered))


def _whole(size: Fraction | None) -> int:
    return floor(size or 0)


def upper(at: Surroundings) -> Fraction | None:
    """Return the bytes up to which Kmax acts before pauses or drops do; ``None`` where that is not known."""
    if at.shared is None or at.alpha is None:
        return None if at.shared is None or at.lossless else Fraction(at.shared)
    return pauses_at(at.alpha, at.shared, 1)


def incast_bound(at: Surroundings, senders: int) -> Fraction | None:
    """Return the bytes up to which Kmin lets ``senders`` slow down before they are paused; ``None``: no such bound.

    Below zero where they are paused wherever marking begins.
    """
    if not at.lossless or at.alpha is None or at.shared is None or at.delay is None:
        return None
    return pauses_at(at.alpha, at.shared, senders) - comes_late(at.speed, at.delay, senders)


def _aimed(want: Wanted, at: Surroundings) -> tuple[Fraction | None, Fraction | None]:
    """Return what the profile aims at and what is written, before bounds: with at least one packet, and a ramp."""
    kmin = _written(want.kmin)
    kmax = _written(want.kmax)
    if kmin is None and (aimed := _size(want.profile.kmin, at)) is not None:
        kmin = max(aimed, Fraction(at.granularity.up(at.mtu)))
    if kmax is None and kmin is not None and (aimed := _size(want.profile.kmax, at)) is not None:
        kmax = max(aimed, kmin + RAMP * at.mtu + at.granularity.cell)
    return kmin, kmax


def _written(size: int | None) -> Fraction | None:
    return None if size is None else Fraction(size)


def _size(aim: Aim | None, at: Surroundings) -> Fraction | None:
    if aim is None or (aim.trips and at.bdp is None):
        return None
    return aim.size(at.speed, at.bdp or Fraction(0))


def _within(size: Fraction, bound: Fraction | None) -> tuple[Fraction, bool]:
    return (size, False) if bound is None or size <= bound else (bound, True)


def _ramped(kmin: Fraction, kmax: Fraction, at: Surroundings, *, ramp: bool) -> Fraction:
    """Return Kmin rounded, and so far below Kmax that there is a ramp (below a written Kmax: not above it)."""
    return Fraction(at.granularity.down(max(Fraction(0), min(kmin, kmax - RAMP * at.mtu if ramp else kmax))))


def _refused(kmin: Fraction, kmax: Fraction, want: Wanted, at: Surroundings) -> str:
    """Return why thresholds cannot be had under the bounds; empty where they can."""
    low = incast_bound(at, want.incast)
    if want.kmin is None and kmin < at.mtu:
        if low is not None and low < at.mtu:
            return f"{want.incast} senders are paused before they slow down, wherever marking begins"
        return f"Kmin would be {_whole(kmin)} B, less than a packet of {at.mtu} B"
    if want.kmax is None and (kmax < LEAST * at.mtu or kmax < kmin):
        return f"Kmax would be {_whole(kmax)} B, less than {LEAST} packets of {at.mtu} B or than Kmin {_whole(kmin)} B"
    return ""

"""The thresholds of a queue in words: formula, inputs, bounds, and where they come from."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from fabric.design.round_trip import HOP, METRE, NIC
from fabric.design.thresholds import RAMP, incast_bound, upper
from fabric.units import format_speed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.design.model import TrafficClass
    from fabric.design.thresholds import Surroundings, Thresholds, Wanted


def formula(found: TrafficClass, want: Wanted, at: Surroundings, made: Thresholds) -> tuple[str, ...]:
    """Return, one sentence each, how the thresholds of a class on a port come about."""
    if not found.ecn_auto:
        return (f"written as classes.{found.name}.ecn", *_bounds(found, want, at))
    chosen = "as written" if found.profile else "where none is written"
    return (
        *_values(want, at, made),
        f"profile {want.profile.name}, {chosen}: {want.profile.source}",
        *_bounds(found, want, at),
        *(f"lowered: {each}" for each in made.lowered),
    )


def _values(want: Wanted, at: Surroundings, made: Thresholds) -> Iterator[str]:
    if made.reason:
        yield f"open: {made.reason}"
        return
    least = {"Kmin": f"one packet of {at.mtu} B", "Kmax": f"Kmin and {RAMP} packets"}
    rows = (("Kmin", want.kmin, want.profile.kmin, made.kmin), ("Kmax", want.kmax, want.profile.kmax, made.kmax))
    for name, written, aim, size in rows:
        if written is not None:
            yield f"{name} {written} B as written"
        elif aim is not None and size is not None:
            yield (
                f"{name} {size} B{_as_set(at, size)} = {aim.words()}, at least {least[name]}, down to "
                f"{at.granularity.said()}"
            )
    yield f"Pmax {made.pmax:g}%{' as written' if want.pmax is not None else ''}"
    if at.bdp is not None and at.trip is not None and want.profile.needs_trip:
        yield f"BDP {floor(at.bdp)} B = {format_speed(at.speed)} x {at.trip / 1000:g} us, {_trip()}"


def _as_set(at: Surroundings, size: int) -> str:
    words = at.granularity.words(size)
    return "" if words == f"{size} B" else f" ({words})"


def _trip() -> str:
    return f"base round trip of the longest path: per way 2 x {NIC} ns NIC, {HOP} ns a switch, {METRE} ns/m of cable"


def _bounds(found: TrafficClass, want: Wanted, at: Surroundings) -> Iterator[str]:
    high, low = upper(at), incast_bound(at, want.incast)
    if high is None:
        yield f"no bound on Kmax is known: {at.no_pool}"
    elif at.alpha is None:
        yield f"Kmax <= {floor(high)} B, what all queues share: {at.no_pool}"
    else:
        what = "a single feeder is paused" if at.lossless else "the queue is full"
        yield (
            f"Kmax <= {floor(high)} B = alpha S / (1 + alpha), where {what}: alpha {at.alpha:g}, S {at.shared} B shared"
        )
    if low is not None and at.delay is not None and at.trip is not None:
        senders = "senders" if found.incast else "senders (incast is not written)"
        yield (
            f"Kmin <= {floor(low)} B = m alpha S / (1 + m alpha) - (m - 1) x {format_speed(at.speed)} x "
            f"{at.delay / 1000:g} us, so that m = {want.incast} {senders} slow down before they are paused: "
            f"{at.trip / 1000:g} us round trip and {at.reaction / 1000:g} us until the next CNP and the next cut"
        )
    elif at.lossless:
        yield f"no bound of an incast is known: {at.no_pool or at.no_trip}"

"""Whether DCQCN comes to rest: the phase margin of its linearised fluid model.

Near the fixed point of `fluid` the model is linear. What a sender does now depends on marks that are one round trip
old; a small disturbance dies out when the loop has lost its gain before its phase, delay included, has turned by 180
degrees. The phase margin is what is left until then, in degrees: negative means that disturbances grow.

Source: the model and the method of "ECN or Delay" (CoNEXT 2016). The published figure linearises approximations of the
terms, at an approximate fixed point, and lets alpha move with every packet; here the model itself is linearised at the
exact one, with alpha updated every tau' as the model says. Both agree on stable or not where the published margin is
further than 7 degrees from zero (``tests/oracles``), and `fluid_run` agrees with this one between.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import degrees, exp, inf, log
from typing import Final, TypeAlias

from fabric.analysis.fluid import Sender, fixed_point, pushes

_STEP: Final = 1e-4
"""Relative step of differences that stand for derivatives."""
_SLOWEST, _FASTEST, _PER_DECADE = 0, 8, 12
"""The frequencies looked at, as powers of ten of rad/s, and how many per decade."""

Loop: TypeAlias = Callable[[float], complex]
Vector: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """The port that flows share: capacity in bit/s, ``kmin`` and ``kmax`` in bytes, ``pmax`` as a share (0 to 1).

    ``delay`` is how old marks are when senders act on them, in seconds: about a round trip without queues.
    """

    capacity: int
    kmin: int
    kmax: int
    pmax: float
    delay: float


def phase_margin(sender: Sender, port: Bottleneck, flows: int) -> float | None:
    """Return the phase margin in degrees with ``flows`` equal flows.

    ``None`` where there is no point on the ramp to be near to: p* is above Pmax, or Kmax is not above Kmin.
    """
    if port.kmax <= port.kmin:
        return None
    p = fixed_point(sender, port.capacity, flows)
    return margin_at(p, sender, port, flows) if p <= port.pmax else None


def margin_at(p: float, sender: Sender, port: Bottleneck, flows: int) -> float:
    """Return the phase margin in degrees at a share ``p`` of marked packets, on a ramp that does not end at Pmax.

    Infinite where the loop never has a gain of 1: nothing grows in it.
    """
    loop = _loop(sender, port, flows, p)
    margins = (180 + turned - degrees(frequency * port.delay) for frequency, turned in _crossings(loop))
    return min(margins, default=inf)


def _loop(sender: Sender, port: Bottleneck, flows: int, p: float) -> Loop:
    """Return the response of a flow's rate to its own rate one delay ago, without the delay, turned around."""
    rate = sender.packets(port.capacity / flows)
    rest = pushes(sender, rate, p)
    cut = max(rest.alpha, sender.g)
    gap = cut * rest.cut / (sender.tau * rest.raised)  # Rt - Rc at rest
    by_rate, by_marks = _slopes(sender, rate, p, gap)
    slope = port.pmax * sender.packet / (port.kmax - port.kmin)
    forget, settle, recover = sender.g / sender.tau_alpha, rest.cut / sender.tau, rate * rest.raised / 2

    def response(frequency: float) -> complex:
        s = 1j * frequency
        # The queue adds up what all flows send: a share of marks follows the rate with slope * flows / s.
        alpha, target, current = (x + y * slope * flows / s for x, y in zip(by_rate, by_marks, strict=True))
        driven = current + recover * target / (s + settle)
        if rest.alpha > sender.g:
            driven -= rate * settle / 2 * alpha / (s + forget)
        return -driven / (s + cut * settle / 2 + recover - recover * settle / (s + settle))

    return response


def _slopes(sender: Sender, rate: float, p: float, gap: float) -> tuple[Vector, Vector]:
    """Return how the changes of alpha, target rate and rate depend on the delayed rate, and on the delayed marks."""
    alpha, r_ai = max(pushes(sender, rate, p).alpha, sender.g), sender.packets(sender.r_ai)

    def changes(delayed: float, marks: float) -> Vector:
        found = pushes(sender, delayed, marks)
        return (
            sender.g / sender.tau_alpha * found.alpha,
            r_ai * delayed * found.additive - gap * found.cut / sender.tau,
            gap * delayed * found.raised / 2 - rate * alpha * found.cut / (2 * sender.tau),
        )

    more, less = 1 + _STEP, 1 - _STEP
    return (
        _difference(changes(rate * more, p), changes(rate * less, p), 2 * _STEP * rate),
        _difference(changes(rate, p * more), changes(rate, p * less), 2 * _STEP * p),
    )


def _difference(high: Vector, low: Vector, step: float) -> Vector:
    alpha, target, current = ((x - y) / step for x, y in zip(high, low, strict=True))
    return alpha, target, current


def _crossings(loop: Loop) -> Iterator[tuple[float, float]]:
    """Yield where the gain of the loop passes 1: frequency in rad/s, and the phase there in degrees, unwrapped."""
    frequencies = [10 ** (each / _PER_DECADE) for each in range(_SLOWEST * _PER_DECADE, _FASTEST * _PER_DECADE + 1)]
    rows: list[tuple[float, float, float]] = []
    for frequency in frequencies:
        found = loop(frequency)
        turned = degrees(phase(found))
        if rows:
            turned += 360 * round((rows[-1][2] - turned) / 360)
        rows.append((log(frequency), log(abs(found)), turned))
    for (low, gain, turned), (high, lower, turned_on) in pairwise(rows):
        if (gain > 0) != (lower > 0):
            share = gain / (gain - lower)
            yield exp(low + share * (high - low)), turned + share * (turned_on - turned)

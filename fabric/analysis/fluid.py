"""How DCQCN settles: the fluid model of senders that share one queue, and its fixed point.

Flows of equal senders fill one port. The switch marks packets with a probability that grows with its queue; a receiver
answers marks with CNPs, at most one per flow in ``tau``; a sender cuts its rate on a CNP and raises it again by a timer
and a counter of bytes. Where cuts and raises balance, the rate of each flow is its share of the port, and exactly one
probability of marking belongs to it: the queue rests where the switch marks with that.

Source: Zhu, Ghobadi, Misra, Padhye, "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY" (CoNEXT 2016): the
figure "DCQCN fluid model" and the equation of its fixed point; packets of 1000 bytes there.

One thing is added, which changes nothing for parameters as in the paper. The model averages alpha over many CNPs. Where
they are rarer than alpha is remembered (tau'/g: 14 ms in the paper, 0.2 ms as NVIDIA's NICs come), the average is near
zero, and yet each cut finds an alpha of at least g: the CNP that causes it has just been counted. So no cut is smaller
than g/2 here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import exp, expm1, log, log1p
from typing import TYPE_CHECKING, Final, NamedTuple

from fabric.hardware.dcqcn import parameters
from fabric.units import MEGABIT

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEAST: Final = 1e-15
_MOST: Final = 1 - 1e-12
_NEARLY: Final = 1e-6
_MICROSECONDS: Final = 10**6


@dataclass(frozen=True, slots=True)
class Sender:
    """Parameters of one flow's sender (RP) and of the receiver that sends it CNPs (NP), as the DCQCN paper names them.

    ``tau`` is the least time between two cuts and ``tau_alpha`` (tau' in the paper) that between two updates of alpha,
    both in seconds; ``g`` is the weight of an update. The rate is raised by ``timer`` (T, seconds) and by ``counter``
    (B, bytes; 0: there is none): ``steps`` (F) times halfway back to the target, then with a target that grows by
    ``r_ai`` (bit/s) each time. ``packet`` is the size of a packet in bytes.
    """

    g: float
    tau: float
    tau_alpha: float
    timer: float
    counter: int
    steps: int
    r_ai: int
    packet: int

    def packets(self, bits: float) -> float:
        """Return how many packets so many bits are; of bit/s, packets a second."""
        return bits / 8 / self.packet


PAPER: Final = Sender(
    g=1 / 256,
    tau=50e-6,
    tau_alpha=55e-6,
    timer=55e-6,
    counter=10_000_000,
    steps=5,
    r_ai=40_000_000,
    packet=1000,
)
"""The parameters of the DCQCN paper (SIGCOMM 2015) for 40G, as the fluid model uses them."""


def mlx5(values: Mapping[str, int], packet: int) -> Sender:
    """Return the sender that parameters of mlx5 describe, over what NICs come with; ``packet`` is its size in bytes.

    A cut needs a CNP and the end of the period without cuts, whichever takes longer. ``dce_tcp_g`` is what alpha keeps,
    in parts of 1024.
    """
    known = parameters("mlx5")
    found = {**known.defaults, **values}
    return Sender(
        g=1 - found["dce_tcp_g"] / 1024,
        tau=max(found["min_time_between_cnps"], found["rate_reduce_monitor_period"]) / _MICROSECONDS,
        tau_alpha=found["dce_tcp_rtt"] / _MICROSECONDS,
        timer=found["rpg_time_reset"] / _MICROSECONDS,
        counter=found["rpg_byte_reset"] * known.counter,
        steps=found["rpg_threshold"],
        r_ai=found["rpg_ai_rate"] * MEGABIT,
        packet=packet,
    )


class Pushes(NamedTuple):
    """What marks do to a sender.

    ``cut`` (a in the paper) is how likely a cut is within ``tau``, ``alpha`` how likely an update of alpha counts as
    congested. Per packet sent, the rate is ``raised`` so often (b + d), with a growing target in ``additive`` of them
    (c + e).
    """

    cut: float
    alpha: float
    raised: float
    additive: float


def pushes(sender: Sender, rate: float, p: float) -> Pushes:
    """Return what marking a share ``p`` of packets (0 to 1) does to a sender of ``rate`` packets a second."""
    unmarked = -log1p(-min(p, _MOST))
    raised = additive = 0.0
    for packets in (sender.packets(8 * sender.counter), sender.timer * rate):
        if packets:
            # p / ((1 - p)^-n - 1): how often n packets in a row are unmarked; 1/n where none is ever marked.
            events = -p * exp(-unmarked * packets) / expm1(-unmarked * packets) if p > 0 else 1 / packets
            raised += events
            additive += events * exp(-sender.steps * unmarked * packets)
    return Pushes(-expm1(-unmarked * sender.tau * rate), -expm1(-unmarked * sender.tau_alpha * rate), raised, additive)


def fixed_point(sender: Sender, capacity_bits: int, flows: int) -> float:
    """Return p*, the share of packets (0 to 1) marked once ``flows`` flows share ``capacity_bits`` bit/s evenly.

    1 where so few packets are sent that even marking all of them does not hold the rates down.
    """
    if marked_too_little(sender, capacity_bits, flows, _MOST):
        return 1.0
    from scipy.optimize import brentq  # noqa: PLC0415  (takes longer to import than most commands take)

    rate = sender.packets(capacity_bits / flows)
    return exp(brentq(lambda x: _excess(sender, rate, exp(x)), log(_LEAST), log(_MOST), xtol=1e-12))


def nearly(sender: Sender, capacity_bits: int, flows: int) -> float:
    """Return p* to six digits, by bisection: for where importing a solver takes longer than everything else."""
    low, high = log(_LEAST), log(_MOST)
    while high - low > _NEARLY:
        middle = (low + high) / 2
        low, high = (middle, high) if marked_too_little(sender, capacity_bits, flows, exp(middle)) else (low, middle)
    return exp(high)


def marked_too_little(sender: Sender, capacity_bits: int, flows: int, p: float) -> bool:
    """Tell whether ``flows`` flows still speed up while a share ``p`` of packets (0 to 1) is marked: p < p*.

    Needs no solver: only the sign of what is zero at the fixed point.
    """
    return _excess(sender, sender.packets(capacity_bits / flows), p) < 0


def queue(p: float, kmin: int, kmax: int, pmax: float) -> float | None:
    """Return the queue in bytes at which a switch marks a share ``p``; ``None`` where that is above ``pmax``.

    ``p`` and ``pmax`` are shares (0 to 1), not percent. Above ``pmax`` the queue does not rest: it goes up and down at
    ``kmax``, from where all packets are marked.
    """
    return kmin + p / pmax * (kmax - kmin) if p <= pmax else None


def _excess(sender: Sender, rate: float, p: float) -> float:
    """Return how far cuts outweigh raises at ``p``: the logarithm of their ratio, growing with ``p``, zero at p*.

    The ratio is a^2 alpha / ((b + d) (c + e) tau^2 R_AI R), with the letters of the paper.
    """
    found = pushes(sender, rate, p)
    cuts = 2 * log(found.cut) + log(max(found.alpha, sender.g))
    raises = sum(log(max(each, sys.float_info.min)) for each in (found.raised, found.additive))
    return cuts - raises - log(sender.tau**2 * sender.packets(sender.r_ai) * rate)

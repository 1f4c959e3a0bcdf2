"""DCQCN in time: the delay-differential equations of the fluid model, step by step.

The second opinion on what `fluid` and `fluid_stability` compute: nothing is linearised here, and the ramp ends at Kmax.
All flows are equal.

Source: "ECN or Delay" (CoNEXT 2016), figure "DCQCN fluid model"; its authors integrate it with a solver of variable
steps, here steps are fixed and explicit (Euler).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from fabric.analysis.fluid import Sender, nearly, pushes
from fabric.analysis.fluid_stability import Bottleneck

STEP: Final = 2e-6
"""Seconds per step; shorter where the sender's own periods or the delay are."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run begins: rate and target of each flow in packets a second, alpha, and the queue in bytes."""

    rate: float
    target: float
    alpha: float
    queue: float


@dataclass(frozen=True, slots=True)
class Course:
    """The second half of a run: mean, least and most bytes in the queue, and the share of the capacity in use."""

    mean: float
    least: float
    most: float
    used: float


def line_rate(sender: Sender, port: Bottleneck) -> Start:
    """Return how DCQCN starts: all flows at line rate, alpha at 1, and an empty queue."""
    rate = sender.packets(port.capacity)
    return Start(rate, rate, 1.0, 0.0)


def near_rest(sender: Sender, port: Bottleneck, flows: int, more: float) -> Start:
    """Return the fixed point, with rates that are ``more`` times what they are there."""
    p, rate = nearly(sender, port.capacity, flows), sender.packets(port.capacity / flows)
    push = pushes(sender, rate, p)
    gap = max(push.alpha, sender.g) * push.cut / (sender.tau * push.raised)
    queue = port.kmin + p / port.pmax * (port.kmax - port.kmin)
    return Start(rate * more, rate * more + gap, push.alpha, queue)


def run(sender: Sender, port: Bottleneck, flows: int, start: Start, seconds: float) -> Course:
    """Return how ``flows`` equal flows fare."""
    step = min(STEP, port.delay, sender.tau)
    capacity, r_ai = sender.packets(port.capacity), sender.packets(sender.r_ai)
    current, target, alpha, queue = start.rate, start.target, start.alpha, start.queue / sender.packet
    past = deque([(current, queue)] * round(port.delay / step))
    queues: list[float] = []
    used: list[float] = []
    for _ in range(round(seconds / step)):
        rate, seen = past.popleft()
        past.append((current, queue))
        push = pushes(sender, rate, marked(seen * sender.packet, port))
        gap = target - current
        cut = max(alpha, sender.g) * push.cut / (2 * sender.tau)
        target = min(capacity, target + step * (r_ai * rate * push.additive - gap * push.cut / sender.tau))
        alpha += step * sender.g / sender.tau_alpha * (push.alpha - alpha)
        used.append(1.0 if queue > 0 else min(1.0, flows * current / capacity))
        queue = max(0.0, queue + step * (flows * current - capacity))
        current = min(capacity, current + step * (gap * rate * push.raised / 2 - current * cut))
        queues.append(queue * sender.packet)
    late = queues[len(queues) // 2 :]
    return Course(sum(late) / len(late), min(late), max(late), sum(used[len(used) // 2 :]) / len(late))


def marked(queue: float, port: Bottleneck) -> float:
    """Return the share of packets that is marked at a queue of so many bytes."""
    if queue <= port.kmin:
        return 0.0
    return (queue - port.kmin) / (port.kmax - port.kmin) * port.pmax if queue <= port.kmax else 1.0

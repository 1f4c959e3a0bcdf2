"""How long queues are, and how long packets wait in them, once DCQCN has settled.

What it does
    Prints for every marking queue of a DCQCN class the queue in which 2, 8 and 32 flows come to rest (or as many as the
    class declares), the delay that it means at the speed of the port, and how firmly they rest (phase margin).

Why
    Thresholds are bytes, and what they cost is time. The figures tell what a choice of Kmin, Kmax and Pmax means before
    any device has them.

Fails
    Every queue whose thresholds are known, where the rule is asked for: it prints figures, and finds nothing wrong.

Passes
    Classes without DCQCN, thresholds that are open, NICs whose parameters mean nothing to us.

Options
    Runs only on request: ``fabric validate --select dcqcn.queue-delay``.

Known limits
    Those of the model: equal, long flows that share one port. With many flows real queues swing around the figure.

Source
    Zhu et al., "ECN or Delay" (CoNEXT 2016): q* = Kmin + p*/Pmax (Kmax - Kmin). Catalogue code F10.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.fluid import Sender, fixed_point, queue
from fabric.analysis.fluid_stability import Bottleneck, phase_margin
from fabric.analysis.nic_kinds import nic_kinds
from fabric.analysis.settling import Settling, settlings
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.NOTE
ON_REQUEST = True


def check(design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per kind of queue and of NICs, with the figures."""
    for each in settlings(design, network):
        for kind in nic_kinds(network):
            rests = [(flows, _rest(each, kind.sender, flows)) for flows in each.flows]
            yield Violation(
                path=each.path,
                message=f"{each.where}: {'; '.join(_said(each, kind.sender, *row) for row in rests)}",
                measured=", ".join("no rest" if rest is None else f"{rest:.0f} bytes" for _, rest in rests),
                bound=f"{each.kmin} to {each.kmax} bytes",
                fix="nothing is wrong; lower min and max for less delay, raise probability for shorter queues",
                cause=f"classes.{each.found.name}.ecn",
            )


def _rest(each: Settling, sender: Sender, flows: int) -> float | None:
    return queue(fixed_point(sender, each.speed, flows), each.kmin, each.kmax, each.pmax)


def _said(each: Settling, sender: Sender, flows: int, rest: float | None) -> str:
    if rest is None:
        return f"{flows} flows do not rest: up and down at {8e6 * each.kmax / each.speed:.1f} us"
    said = f"{flows} flows rest at {rest / 1000:.1f} KB, {8e6 * rest / each.speed:.1f} us"
    if each.trip is None:
        return said
    margin = phase_margin(sender, Bottleneck(each.speed, each.kmin, each.kmax, each.pmax, each.trip), flows)
    return said if margin is None else f"{said} (margin {margin:.0f} degrees)"

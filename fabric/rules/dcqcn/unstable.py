"""DCQCN comes to rest, and loses nothing on the way.

What it does
    Takes the thresholds of each marking queue of a DCQCN class, the parameters of the NICs and the base round trip, for
    the flows that the class declares, else for 2, 8 and 32. Where the phase margin of the linearised fluid model is
    negative, so that small disturbances grow, it integrates the model itself from near its point of rest, and reports
    where less than 99 % of the port is used in the end. Then it tries a quarter of R_AI and five times Kmax.

Why
    Senders act on marks that are a round trip old. If they act strongly, they overshoot: the queue fills, all cut, it
    runs empty, all rise. Throughput is lost in the valleys, and delay and pauses come at the peaks. A longer round
    trip, larger steps (R_AI, short timers) and a steeper ramp make it worse.

Fails
    ``mlx5: {dcqcn: {rpg_ai_rate: 400, rpg_time_reset: 20}}`` at 400G with ``ecn: {min: 200KB, max: 800KB, probability:
    20%}``: 32 flows use 88 % of the port.

Passes
    What NVIDIA NICs come with, on the same thresholds.

Options
    ``ecn.flows`` of the class. Not judged: equal thresholds, which are a step on purpose; a round trip that is not
    known, as of cables without length.

Known limits
    All flows are equal and long, and share one port. The model has no hyper increase (R_HAI). A negative margin by
    itself is no finding: with what NVIDIA NICs come with, small swings around the point of rest are usual and cost
    less than 1 %. bnxt is not judged, as its parameters are not published. Steps above 1 % of the speed
    are a matter of dcqcn.increase.

Source
    Zhu et al., "ECN or Delay" (CoNEXT 2016): fluid model, phase margin, and R_AI and Kmax as what to change. Catalogue
    code I06.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from fabric.analysis.fluid import Sender, nearly
from fabric.analysis.fluid_run import Course, near_rest, run
from fabric.analysis.fluid_stability import Bottleneck, margin_at
from fabric.analysis.nic_kinds import nic_kinds
from fabric.analysis.settling import Settling, settlings
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import MEGABIT, format_speed

SEVERITY = Severity.WARNING

_USED = 0.99
_PUSH = 1.001
_SECONDS = 0.1
_GENTLER, _WIDER = 4, 5
_STEEP = 100


def check(design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per kind of queue and of NICs that swings, for the number of flows that loses most."""
    for each in settlings(design, network):
        if each.trip is None or each.kmax <= each.kmin:
            continue
        port = Bottleneck(each.speed, each.kmin, each.kmax, each.pmax, each.trip)
        for kind in nic_kinds(network):
            if kind.sender.r_ai > kind.speed // _STEEP:
                continue
            swings = [(flows, found) for flows in each.flows if (found := _swing(kind.sender, port, flows))]
            if swings:
                flows, found = min(swings, key=lambda row: row[1].used)
                yield _said(each, kind.sender, port, flows, found)


def _said(each: Settling, sender: Sender, port: Bottleneck, flows: int, found: Course) -> Violation:
    low, high = (float(f"{each / 1000:.2g}") for each in (found.least, found.most))
    return Violation(
        path=each.path,
        message=f"{flows} flows of DCQCN do not come to rest in {each.where}: it swings between {low:g} KB and "
        f"{high:g} KB with marks that are {port.delay * 10**6:.1f} us old",
        measured=f"{int(100 * found.used)}% of {format_speed(port.capacity)} used",
        bound=f"at least {100 * _USED:g}%",
        fix=_cure(sender, port, flows),
        cause=f"classes.{each.found.name}.ecn.max",
    )


@lru_cache(maxsize=256)
def _swing(sender: Sender, port: Bottleneck, flows: int) -> Course | None:
    """Return how the flows fare where they swing and lose more than they may."""
    margin = _margin(sender, port, flows)
    if margin is None or margin >= 0:
        return None
    found = run(sender, port, flows, near_rest(sender, port, flows, _PUSH), _SECONDS)
    return found if found.used < _USED else None


def _margin(sender: Sender, port: Bottleneck, flows: int) -> float | None:
    """Return the phase margin in degrees; ``None`` where there is no rest at all, which is another rule's matter."""
    p = nearly(sender, port.capacity, flows)
    return margin_at(p, sender, port, flows) if p <= port.pmax else None


def _cure(sender: Sender, port: Bottleneck, flows: int) -> str:
    """Return which of a gentler step and a wider ramp is enough, the smaller change first."""
    gentle, wide = replace(sender, r_ai=max(sender.r_ai // _GENTLER, MEGABIT)), replace(port, kmax=port.kmax * _WIDER)
    step, ramp = f"rpg_ai_rate: {gentle.r_ai // MEGABIT} (R_AI/{_GENTLER})", f"a max of {wide.kmax} bytes"
    for words, own, at in ((step, gentle, port), (ramp, sender, wide), (f"{step} and {ramp}", gentle, wide)):
        if _margin(own, at, flows) is not None and _swing(own, at, flows) is None:
            return f"write {words}: that is enough in the model"
    return f"lower rpg_ai_rate and lengthen rpg_time_reset: {step} and {ramp} are not enough in the model"

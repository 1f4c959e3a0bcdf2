"""Rates are raised in small steps.

What it does
    Compares the additive step R_AI of NIC ports with 1 % of their speed. Where a class declares ``flows``: also what
    that many flows add to a queue when all of them raise their rates once, in the time until they can do so again
    (N x R_AI x T / 8 bytes), with a quarter of the ramp from Kmin to Kmax.

Why
    Each step overshoots until the marks of the longer queue have come back. A step that is a large part of the ramp
    goes past the point where the queue would rest: it swings, and throughput or delay is lost.

Fails
    ``rpg_ai_rate: 4001`` at 400G: more than 1 %. ``flows: 512`` with ``{rpg_ai_rate: 40, rpg_time_reset: 300}`` and a
    ramp of 2 MB: one step of all is 768 KB, and a quarter of the ramp 500 KB.

Passes
    What NVIDIA NICs come with: 5 Mbit/s, 300 us.

Options
    ``ecn.flows`` of the class.

Known limits
    R_HAI, which follows after several steps without CNPs, is not asked about.

Source
    DCQCN (SIGCOMM 2015): 40 Mbit/s at 40G, 55 us. The quarter and the 1 % are judgement, from the size of the step
    relative to what it should settle in. Catalogue code I05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.nic_kinds import NicKind, nic_kinds
from fabric.analysis.settling import Settling, settlings
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import MEGABIT, format_speed

SEVERITY = Severity.WARNING

_MOST = 100
_PART = 4
_STEP, _TIMER = "rpg_ai_rate", "rpg_time_reset"


def check(design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per kind of NIC ports with a large step, and per queue for which it is large."""
    for kind in nic_kinds(network):
        step, most = kind.values[_STEP], kind.speed // MEGABIT // _MOST
        if step > most:
            yield Violation(
                path=kind.path,
                message=f"R_AI of {kind.first} is {step} Mbit/s at {format_speed(kind.speed)}: each step overshoots",
                measured=f"{step} Mbit/s",
                bound=f"at most {most} Mbit/s, 1% of the speed",
                fix=f"write {_STEP}: {most} or less",
                cause=f"nic_settings.{kind.driver}.dcqcn.{_STEP}",
            )
        for each in settlings(design, network):
            if each.found.flows is not None and each.kmax > each.kmin:
                yield from _growth(kind, each, each.found.flows)


def _growth(kind: NicKind, each: Settling, flows: int) -> Iterator[Violation]:
    """Yield a violation where one step of all flows is large against the ramp."""
    step, timer, ramp = kind.values[_STEP], kind.values[_TIMER], each.kmax - each.kmin
    added, most = flows * step * timer // 8, ramp // _PART  # Mbit/s times us are bits
    if added > most:
        yield Violation(
            path=each.path,
            message=f"{flows} flows that raise their rates by {step} Mbit/s add {added} bytes in {timer} us to "
            f"{each.where}, whose ramp is {ramp} bytes",
            measured=f"{added} bytes",
            bound=f"at most {most} bytes, a quarter of the ramp",
            fix=f"lower {_STEP} or {_TIMER}, write a larger max, or declare fewer flows",
            cause=f"classes.{each.found.name}.ecn.flows",
        )

"""Senders do not fall so low that they cannot rise again.

What it does
    Where they are written: compares the step of hyper increase (R_HAI) of NIC ports with the additive one (R_AI), and
    the rate below which no sender is cut (``rpg_min_rate``) with 0.1 % of the speed. A minimum that is the vendor's own
    is not judged.

Why
    Hyper increase is for the way back after congestion has gone; if it is the smaller step, that way takes longer than
    without it. A sender that was cut to a thousandth of its link needs thousands of additive steps.

Fails
    ``{rpg_ai_rate: 50, rpg_hai_rate: 40}``; ``rpg_min_rate: 100`` at 400G, where 0.1 % are 400 Mbit/s.

Passes
    ``{rpg_ai_rate: 5, rpg_hai_rate: 50}``; ``rpg_min_rate: 400`` at 400G; the vendor's own 1 Mbit/s.

Options
    None.

Known limits
    A high minimum has a price that is not asked about: more flows than fit at that rate keep their queue full. An
    additive increase above 1 % of the speed is a matter of dcqcn.increase.

Source
    DCQCN (SIGCOMM 2015) for the phases of increase; the 0.1 % are judgement. Catalogue code I07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.nic_kinds import NicRow, nic_rows
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import MEGABIT, format_speed

SEVERITY = Severity.WARNING

_PART = 1000
_STEEP = 100
_STEP, _HYPER, _LEAST = "rpg_ai_rate", "rpg_hai_rate", "rpg_min_rate"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port and value that makes recovery slow."""
    for each in nic_rows(network):
        if each.known is not None:
            yield from _hyper(each)
            yield from _least(each, each.known.defaults[_LEAST])


def _hyper(each: NicRow) -> Iterator[Violation]:
    step, hyper = each.values[_STEP], each.values[_HYPER]
    if hyper < step <= each.speed // MEGABIT // _STEEP:
        yield Violation(
            path=each.path,
            message=f"hyper increase of {each.end} is smaller than its additive increase of {step} Mbit/s",
            measured=f"{hyper} Mbit/s",
            bound=f"at least {step} Mbit/s",
            fix=f"write {_HYPER}: {10 * step}, ten times {_STEP} as NICs come",
            cause=each.cause(_HYPER if _HYPER in each.written else _STEP),
        )


def _least(each: NicRow, usual: int) -> Iterator[Violation]:
    rate, least = each.values[_LEAST], each.speed // MEGABIT // _PART
    if rate != usual and rate < least:
        yield Violation(
            path=each.path,
            message=f"{each.end} is cut to {rate} Mbit/s at worst, and has to climb back to {format_speed(each.speed)}",
            measured=f"{rate} Mbit/s",
            bound=f"at least {least} Mbit/s, 0.1% of the speed",
            fix=f"write {_LEAST}: {least}, or take it away",
            cause=each.cause(_LEAST),
        )

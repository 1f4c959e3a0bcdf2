"""Headroom holds what can arrive from a slow peer, in small packets.

What it does
    Compares the headroom of each port on which a priority is paused with what the formula of its chip says for speed,
    cable and MTU, as ``headroom: auto`` would set it. Less than 95 % of that is an error, less than all a warning.

Why
    A peer may take its time to stop, as the standard allows, and packets that fill their cells badly take more buffer
    than they have bytes. Headroom that is enough for a fast peer and large packets loses packets on the day when
    neither is there, and only under load.

Fails
    ``headroom: 100KB`` at 400G, 5 m and MTU 9000 on Tomahawk 4: 379,476 bytes are needed (error). ``headroom: 370KB``
    there (warning).

Passes
    ``headroom: auto``; ``headroom: 434KB`` there; any value on a model whose chip is not known, or without a length.

Options
    ``buffers.chips`` says what is known better than in the hardware data: cell, response of the peer, share of small
    packets, size of lossless packets. The rule can be waived.

Known limits
    What formulas give is above every value of the tables that they are fitted to, by up to 7 %. Some vendors ship
    tables that are much smaller, as they count on larger packets or faster peers; who uses one says so in
    ``buffers.chips``. What arrives in any case is asked by buffers.headroom-below, which then speaks alone.

Source
    IEEE 802.1Q annex N and IEEE 802.3 annex 31B; the constants of each chip, with their sources, stand in the hardware
    data, and ``fabric show NODE --why`` prints them. Catalogue code G01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import Headroom, headrooms
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR
_ENOUGH = 95


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with less headroom than its chip needs."""
    for each in headrooms(network):
        found, need = each.row.headroom, each.need
        if need is None or each.chip is None or isinstance(found, Absent) or not need.least <= found < need.auto:
            continue
        near = found * 100 >= need.auto * _ENOUGH
        yield Violation(
            path=each.path,
            message=f"the headroom of {each.own} is less than what can arrive {each.cable} from a slow peer in small "
            f"packets{_cause(each)}",
            measured=f"{found} bytes",
            bound=f"at least {need.auto} bytes",
            fix=f"write auto, or {need.auto}B; or say in buffers.chips.{each.chip.name} what is better than that",
            cause=f"{each.path}.headroom",
            severity=Severity.WARNING if near else Severity.ERROR,
        )


def _cause(each: Headroom) -> str:
    """Say for what shorter cable or smaller MTU the headroom was computed, where that is known."""
    length, mtu = each.row.length, each.row.mtu
    stands = [f"{length:g} m"] if not isinstance(length, Absent) and length < each.link.length else []
    if not isinstance(mtu, Absent) and not isinstance(each.mtu, Absent) and mtu < each.mtu:
        stands.append(f"MTU {mtu} instead of {each.mtu}")
    return f": it stands for {' and '.join(stands)}" if stands else ""

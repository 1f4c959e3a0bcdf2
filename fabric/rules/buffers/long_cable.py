"""A lossless cable of more than 2 km ends at chips with a deep buffer.

What it does
    Looks for ports that pause a priority over a cable of more than 2000 m, on a chip whose packet buffer is known and
    below 1 GB, which is memory of the chip itself.

Why
    Headroom for such a cable is megabytes per priority and port, of the tens of megabytes that all ports share: 300 m
    at 400G take 0.8 MB on a chip with cells of 254 bytes, 2 km take 4 MB, and 32 such ports the whole buffer.

Fails
    ``length_m: 2500`` at 400G between switches with Tomahawk 5 that carry a lossless class.

Passes
    2000 m there. The same cable on chips with buffers of gigabytes, or without a lossless class.

Options
    ``buffers.chips`` gives a chip its buffer. The rule can be waived.

Known limits
    Chips of which nothing is known are judged by buffers.long-haul. Where the headroom is known to be too small, the
    rules about that speak, and this one is silent.

Source
    Own reasoning: 2 km is the longest that any published table of a chip with an on-chip buffer covers. Catalogue code
    G16.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import LONG, headrooms, is_deep
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with a long lossless cable on a chip without a deep buffer."""
    for each in headrooms(network):
        chip, need = each.chip, each.need
        if each.link.length <= LONG or chip is None or chip.buffer is None or is_deep(chip) or each.small:
            continue
        takes = f": headroom takes {need.auto} of the {chip.buffer.total} bytes that {chip.name} has" if need else ""
        yield Violation(
            path=each.path,
            message=f"{each.own} pauses {each.cable}, on a chip without a deep buffer{takes}",
            measured=f"{each.link.length:g} m",
            bound=f"up to {LONG} m without a deep buffer",
            fix="keep the lossless classes off this cable, or end it at switches with a deep buffer",
        )

"""The forward error correction is one that the speed has.

What it does
    Compares the FEC of each port with a cable with what its speed defines: 200G and faster have Reed-Solomon (rs) and
    nothing else; 100G has rs or none; 50G has rs, fc or none; 25G has all three; 40G and 10G have fc (Base-R) or none.

Why
    From 200G on, lanes carry four levels (PAM4) and have so many bit errors that no link works without Reed-Solomon. A
    FEC that a speed does not define is refused by the device, or leaves the link down.

Fails
    ``{speed: 400G, fec: none}``; ``{speed: 10G, fec: rs}``.

Passes
    ``{speed: 400G, fec: rs}``; no ``fec`` at all, so that the device chooses.

Options
    None.

Known limits
    100G on one lane needs rs as well; how many lanes a cable has is not known. Other speeds are not judged.

Source
    IEEE 802.3 clauses 74 (10G and 40G), 91 (100G), 108 (25G), 119 (200G and 400G), 134 (50G); Xena OpenAutomation
    documentation, PCS/FEC ("for PAM4 ports FEC is mandatory", in other words). Catalogue code B02.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True

_G = 1_000_000_000
_DEFINED = {
    10 * _G: ("none", "fc"),
    25 * _G: ("none", "fc", "rs"),
    40 * _G: ("none", "fc"),
    50 * _G: ("none", "fc", "rs"),
    100 * _G: ("none", "rs"),
    200 * _G: ("rs",),
    400 * _G: ("rs",),
    800 * _G: ("rs",),
}


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per end of a link with a FEC that its speed does not have."""
    for link in network.links:
        defined = _DEFINED.get(link.speed)
        for end in (link.a, link.b) if defined else ():
            row = network.nodes[end.node].settings.rows(Links).get(end.port)
            if defined is None or row is None or isinstance(row.fec, Absent) or row.fec in defined:
                continue
            yield Violation(
                path=f"{end.node}.links.{end.port}",
                message=f"{end} has FEC {row.fec}, which {format_speed(link.speed)} does not have",
                measured=f"fec: {row.fec} at {format_speed(link.speed)}",
                bound=" or ".join(defined),
                fix=f"write fec: {defined[-1]}, or leave it to the device",
            )

"""Both ends of a link use one forward error correction.

What it does
    Compares the FEC that both ports of a link are set to (or, live, use) with each other.

Why
    FEC changes what is sent on the wire. Two ends with different ones never see a signal that they understand: the link
    stays down, with good optics and good light.

Fails
    ``nodes: {leaf03: {ports: {swp7: {fec: none}}}}`` on a cable with ``fec: rs``.

Passes
    ``rs`` at both ends. An end whose FEC is not known is not judged.

Options
    None.

Known limits
    The variants of Reed-Solomon (528 and 544 symbols, interleaved) are one here: they follow from speed and lanes.

Source
    IEEE 802.3 clauses 74, 91, 108 and 119: the encoding is a part of the physical layer at both ends; ethtool, commit
    "Support for FEC encoding control" (differing modes keep devices of different makers apart). Catalogue code B02.

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

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per link whose ends have different FEC."""
    for link in network.links:
        rows = (network.nodes[end.node].settings.rows(Links).get(end.port) for end in (link.a, link.b))
        lower, upper = (None if row is None or isinstance(row.fec, Absent) else row.fec for row in rows)
        if lower is None or upper is None or lower == upper:
            continue
        yield Violation(
            path=f"{link.a.node}.links.{link.a.port}",
            message=f"{link.a} uses FEC {lower} and {link.b} at the other end uses {upper}: the link does not come up",
            measured=f"{lower} and {upper}",
            bound="one FEC at both ends",
            fix="write fec at the cable, and take it away at the ports",
        )

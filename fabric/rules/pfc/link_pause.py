"""A port does not pause priorities and the whole link at once.

What it does
    Reports ports that have PFC on for some priority, and pauses of the whole link (802.3x flow control) as well.

Why
    Both cannot be: a pause of the link stops all classes, the lossy ones, CNPs and BGP among them. Many NICs have link
    pauses on from the factory, and autonegotiation brings them back; where they are on, hardware mostly ignores PFC, so
    that the class which was to be lossless shares its pause with everything else, or is dropped.

Fails
    gpu01:ens1np0 has PFC on for priority 3, and ``ethtool -a`` shows RX or TX on.

Passes
    PFC alone; pauses of the link alone, on a port without lossless classes; neither.

Options
    None.

Known limits
    A port of which it is not known whether it pauses the link is not judged.

Source
    IEEE 802.3 annex 31B and 802.1Q-2018 clause 36 (a port uses one of both). Catalogue code E02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed, paused
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port that does both."""
    for name, node in network.nodes.items():
        for port, row in node.settings.rows(Links).items():
            if isinstance(row.pause, Absent) or not row.pause:
                continue
            found = paused(node, port)
            if not isinstance(found, Absent) and found:
                yield Violation(
                    path=f"{name}.links.{port}",
                    message=f"{name}:{port} has PFC for {listed(found)}, and pauses of the whole link (802.3x) as well",
                    measured="PFC and link pauses",
                    bound="one of them",
                    fix="switch 802.3x off in both directions, such as ethtool -A PORT autoneg off rx off tx off",
                )

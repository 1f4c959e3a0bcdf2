"""No switch has its only way up through one switch.

What it does
    Reports each switch below the uppermost tier whose links upwards all lead to one and the same switch.

Why
    When that one fails, or is updated, the hosts below are cut off from all others, and every job that spans more than
    one leaf ends.

Fails
    A leaf with four links to spine01 and none to another spine.

Passes
    A leaf with links to two spines. A leaf of a plane with one spine, as the other planes go on.

Options
    None.

Known limits
    Hosts that have other ways out (storage NICs) are not told apart.

Source
    Al-Fares et al., A scalable, commodity data center network architecture, SIGCOMM 2008, section 3 (paths over every
    switch of the tier above). Catalogue code B06.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.tiers import shut, upward
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch that hangs on a single switch above it."""
    for name, rows in upward(network, shut(network)).items():
        node = network.nodes[name]
        above = {far for _, far in rows}
        if node.kind != "switch" or len(above) != 1 or node.plane is not None:
            continue
        (only,) = above
        yield Violation(
            path=f"{name}.links",
            message=f"all links of {name} upwards lead to {only}: whatever is below is cut off when it fails",
            measured=f"1 switch of {network.nodes[only].role}",
            bound="at least 2 switches",
            fix=f"cable {name} to a second switch of the role {network.nodes[only].role}",
        )

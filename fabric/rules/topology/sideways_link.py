"""No cable with a lossless class joins two switches of one tier.

What it does
    Reports each cable between two switches of one tier on which a priority is paused at either end.

Why
    Lossless traffic needs ways that only lead up and then down. A cable sideways (a peer link of two leaves, a link
    between spines) is one more turn: packets that come down to a leaf go on to its peer and up again, and the order in
    which buffers wait is gone.

Fails
    A cable from leaf01 to leaf02 with PFC.

Passes
    The same cable without a lossless class. Cables between tiers only.

Options
    None.

Known limits
    Tiers follow from the cables that the intent describes. Whether routes use the cable is a matter of deadlock.loop.

Source
    Hu et al., Tagger, CoNEXT 2017, section 2 (Clos networks with ways up and down have no circle of buffers).
    Catalogue code B13.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pfc

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per cable between equals that carries a lossless class."""
    nodes = network.nodes
    for link in network.links:
        low, high = nodes[link.a.node], nodes[link.b.node]
        if low.tier != high.tier or low.kind != "switch" or high.kind != "switch":
            continue
        if priorities := _paused(network, link.a) | _paused(network, link.b):
            yield Violation(
                path=f"{link.a.node}.pfc.{link.a.port}",
                message=f"the cable {link.a} to {link.b} joins two {low.role} switches of one tier, and carries the "
                f"lossless priority {', '.join(map(str, sorted(priorities)))}",
                measured=f"tier {low.tier} to tier {high.tier}",
                bound="a lossless class between tiers only",
                fix="take the cable out, or the lossless class off it",
            )


def _paused(network: Network, end: End) -> frozenset[int]:
    row = network.nodes[end.node].settings.rows(Pfc).get(end.port)
    return row.priorities if row is not None else frozenset()

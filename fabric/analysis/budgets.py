"""Buffer budgets of the switches of a network, and what would make them fit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from fabric.design.budget import Budget, budget_of, headroom_pool
from fabric.settings.network import Network, Node
from fabric.settings.pools import Pools

RATIO = "buffers.oversubscribe"
OVERRIDE = "buffers.override"


def budgets(network: Network) -> Iterator[tuple[Node, Budget]]:
    """Yield each switch on which a priority is paused and whose chip and headroom are known, with its budget."""
    for node in network.nodes.values():
        found = budget_of(network, node)
        if found is not None and found.demand:
            yield node, found


def cause_of(node: Node) -> str:
    """Return the key that decides how much headroom is set aside on a switch."""
    return RATIO if headroom_pool(node.settings.rows(Pools).values()) is None else OVERRIDE


def remedy(node: Node, found: Budget, most: Fraction) -> str:
    """Return what to write so that the headroom of a switch takes at most so many bytes."""
    fewer = "have fewer lossless classes on these ports, or shorter cables"
    if cause_of(node) == OVERRIDE:
        return f"make the pools larger, or set aside less headroom in them; or {fewer}"
    return f"write {RATIO}: {ceil(found.demand / most)}, {fewer}" if most > 0 else fewer

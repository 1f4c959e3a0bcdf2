"""The shared pool of a switch of a network, designed or read, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.budget import budget_of
from fabric.design.chips import chip_at

if TYPE_CHECKING:
    from fabric.settings.network import Network, Node


def shared_pool(network: Network, node: Node) -> int | str:
    """Return the bytes that all queues of a switch share, or why that is not known."""
    chip = chip_at(network, node)
    if chip is None:
        return f"no chip is known for model {node.model}"
    if chip.buffer is None:
        return f"the buffer of {chip.name} is not known"
    found = budget_of(network, node)
    if found is None:
        return "a headroom is open"
    return found.shared if found.shared > 0 else "more headroom is promised than there is buffer"

"""Words for marking queues."""

from __future__ import annotations

from collections.abc import Sequence

from fabric.analysis.ends import several
from fabric.settings.network import End, Node


def queue_of(node: Node, ports: Sequence[str], queue: int) -> str:
    """Return ports that are alike, and a queue of theirs, in words: ``queue 3 of leaf01:swp1 and 15 more ports``."""
    return f"queue {queue} of {several([End(node.name, port) for port in ports])}"


def row_of(node: Node, ports: Sequence[str]) -> str:
    """Return the path of the marking of the first of some ports."""
    return f"{node.name}.ecn.{ports[0]}"

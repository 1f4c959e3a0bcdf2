"""Headroom and pools fit into the buffer of the chip.

What it does
    Adds up, per switch, the headroom that is set aside for all ports and lossless priorities, and what each of them has
    reserved, and compares that with the buffer of the chip; likewise the sizes of the pools that are set. More than the
    chip has is an error: it cannot be built. More than what is published for its pools is a warning.

Why
    A chip that is asked for more refuses the setting, or gives some ports less headroom than they need, and these drop
    lossless packets as soon as they are paused.

Fails
    Three lossless classes on 64 ports of 800G over 100 m on Tomahawk 5: 207 MB of headroom, the chip has 173 MB.
    ``override: {ingress_lossless_pool: {size: 200MB}}`` there.

Passes
    One lossless class there (69 MB), or three with ``oversubscribe: 2``; any chip whose buffer is not published.

Options
    None. ``buffers.oversubscribe`` says how many times the headroom of all ports may exceed what is set aside.

Known limits
    Of some chips only the pools that ship for them are published, not the memory: there it is a warning at most. What
    systems keep for multicast, the CPU and lossy queues is counted only as far as published pools leave it out.

Source
    The memory of each chip and the pools that SONiC ships for it, with their sources, stand in the hardware data.
    Catalogue code G06.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fabric.analysis.budgets import OVERRIDE, budgets, cause_of, remedy
from fabric.design.budget import Budget, incoming, together
from fabric.design.chips import chip_at
from fabric.hardware.asics import PacketBuffer
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network, Node
from fabric.settings.pools import Pools
from fabric.units import megabytes

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch whose pools are too large, and one per switch whose headroom is."""
    for node in network.nodes.values():
        chip = chip_at(network, node)
        if chip is not None and chip.buffer is not None and node.settings.rows(Pools):
            yield from _pools(node, chip.name, chip.buffer)
    for node, found in budgets(network):
        chip = chip_at(network, node)
        if chip is not None and chip.buffer is not None and found.shared < 0:
            yield _headroom(node, found, chip.name, chip.buffer)


def _pools(node: Node, chip: str, buffer: PacketBuffer) -> Iterator[Violation]:
    pools = node.settings.rows(Pools)
    inward = incoming(pools)
    rest = {name: pool for name, pool in pools.items() if name not in inward}
    for side in (inward, rest):
        size = together(side, buffer.total)
        if size > buffer.total:
            yield Violation(
                path=f"{node.name}.pools.{next(iter(side))}",
                message=f"the pools {', '.join(side)} of {node.name} take {megabytes(size)} together, and {chip} has "
                f"{megabytes(buffer.total)}{'' if buffer.whole else ' in all pools that are published'}",
                measured=f"{size} bytes",
                bound=f"at most {buffer.total} bytes",
                fix="make pools smaller",
                severity=None if buffer.whole else Severity.WARNING,
                cause=OVERRIDE,
            )


def _headroom(node: Node, found: Budget, chip: str, buffer: PacketBuffer) -> Violation:
    own = found.reserved - found.outside
    certain = buffer.whole and found.kept + own > buffer.total
    most = buffer.total if certain else found.total - found.outside
    whose = f"{chip} has" if certain else f"the pools that are known for {chip} have"
    return Violation(
        path=f"{node.name}.buffers",
        message=f"{node.name} sets aside {megabytes(found.kept)} of headroom for {len(found.ports)} ports, and "
        f"{megabytes(own)} are reserved; {whose} {megabytes(most)}: nothing is left to share",
        measured=f"{found.kept + own} bytes",
        bound=f"at most {most} bytes",
        fix=remedy(node, found, Fraction(found.total - found.reserved)),
        severity=None if certain else Severity.WARNING,
        cause=cause_of(node),
    )

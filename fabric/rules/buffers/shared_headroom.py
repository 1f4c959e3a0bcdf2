"""The headroom pool of a switch holds what the intent counts on.

What it does
    Looks at switches whose ports share headroom. The pool must hold at least what one port needs, and a port at most
    what the chip lets it take of the pool. Where ``buffers.oversubscribe`` is written, a pool that is set must be large
    enough for it. Where nothing sets the pool of a SONiC switch and the one that ships for its chip is smaller than
    what is counted on, a note says so.

Why
    A pool that is exhausted drops lossless packets. What is set aside is set on the device, and what it is computed
    from stands in the file: where both are written, they must agree.

Fails
    ``override: {ingress_lossless_pool: {size: 100MB, xoff: 300KB}}`` for ports that need 410 KB;
    ``oversubscribe: 2`` with a pool of 10 MB for 26 MB of headroom.

Passes
    No pool; one of 13 MB there; 10 MB where ``oversubscribe`` is not written (buffers.oversubscribed judges the ratio).

Options
    None.

Known limits
    The pool that ships is that of one device of the chip, as the hardware data names it; others of the same chip have
    between half and twice of it. Of other systems no pools are published.

Source
    The per-port limit is that of SONiC's tables for NVIDIA chips (8 MiB, 6 MiB on Spectrum-5 and -6); pools that ship:
    buffers_defaults files of sonic-net/sonic-buildimage. Catalogue code G04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.budgets import OVERRIDE, RATIO, budgets, cause_of
from fabric.design.budget import Budget, headroom_pool
from fabric.design.chips import chip_at
from fabric.hardware.asics import PacketBuffer
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network, Node
from fabric.settings.pools import Pools
from fabric.units import megabytes

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield what is wrong with the headroom pool of each switch."""
    for node, found in budgets(network):
        chip = chip_at(network, node)
        if chip is None or chip.buffer is None:
            continue
        pool = headroom_pool(node.settings.rows(Pools).values())
        if found.kept < found.demand:
            yield from _port(node, found, chip.buffer)
        if pool is not None and network.oversubscribe is not None and found.demand > pool * network.oversubscribe:
            yield _promised(node, found, network.oversubscribe)
        shipped = chip.buffer.shared_headroom
        if pool is None and node.system == "sonic" and 0 < shipped < found.kept:
            yield _unset(node, found, shipped, chip.name)


def _port(node: Node, found: Budget, buffer: PacketBuffer) -> Iterator[Violation]:
    need = found.ports[0]
    for most, what in (
        (found.kept, "the headroom pool of all ports"),
        (buffer.port_headroom, "what one port may take"),
    ):
        if most and need > most:
            yield Violation(
                path=f"{node.name}.buffers",
                message=f"a port of {node.name} needs {need} bytes of headroom, more than {what}: lossless traffic is "
                "dropped when it is paused",
                measured=f"{need} bytes",
                bound=f"at most {most} bytes",
                fix="set aside more, or have fewer lossless classes on the port, or a shorter cable",
                cause=cause_of(node),
            )


def _promised(node: Node, found: Budget, ratio: int) -> Violation:
    return Violation(
        path=f"{node.name}.pools",
        message=f"the headroom pool of {node.name} is {megabytes(found.kept)}; its ports need "
        f"{megabytes(found.demand)}, and buffers.oversubscribe is {ratio}",
        measured=f"{found.kept} bytes",
        bound=f"at least {-(-found.demand // ratio)} bytes",
        fix=f"make xoff of the pool {-(-found.demand // ratio)}B, or write a larger oversubscribe",
        cause=OVERRIDE,
    )


def _unset(node: Node, found: Budget, shipped: int, chip: str) -> Violation:
    return Violation(
        path=f"{node.name}.buffers",
        message=f"{node.name} is to set aside {megabytes(found.kept)} of headroom, and nothing sets its pool: the one "
        f"that ships for {chip} has {megabytes(shipped)}",
        measured=f"{shipped} bytes",
        bound=f"at least {found.kept} bytes",
        fix=f"set the pool (buffers.override: NAME: size, xoff), or write oversubscribe: {-(-found.demand // shipped)}",
        severity=Severity.NOTE,
        cause=RATIO,
    )

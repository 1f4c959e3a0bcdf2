"""What headroom would take if all packets were small.

What it does
    Prints, on request (``--select buffers.small-packets``), for each kind of port whose formula counts on packets that
    fill their cells better than the smallest do: what share is assumed, and what headroom takes without that.

Why
    Packets of 64 bytes waste most of a cell. Formulas that count on few of them give headroom that is right for RDMA of
    full packets, and too small for a burst of acknowledgements or of small messages. It should be known what is
    assumed.

Fails
    A Spectrum-5 port at 400G over 30 m: 50 % small packets and lossless packets of 4096 bytes are assumed.

Passes
    A Tomahawk 5 port, whose formula takes the smallest packet for each cell; a switch whose chip is not known.

Options
    ``buffers.chips`` sets the share (``small_packets``, ``lossless_mtu``; for merchant chips ``waste``).

Known limits
    It is about what the formula gives, not about the headroom that is set.

Source
    sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffer_headroom_mellanox.lua, share of small packets. Catalogue code G02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from fabric.analysis.headrooms import headrooms
from fabric.design.headroom import ON_WIRE, needed
from fabric.hardware.asics import Asic, NvidiaPause
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.NOTE
ON_REQUEST = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per kind of port (chip, speed, cable, MTU) that counts on larger packets."""
    worst: dict[int, tuple[Asic, str] | None] = {}
    seen: set[tuple[object, ...]] = set()
    for each in headrooms(network):
        chip, mtu, need = each.chip, each.mtu, each.need
        if chip is None or need is None or isinstance(mtu, Absent):
            continue
        found = worst.setdefault(id(chip), _worst(chip))
        kind = (id(chip), each.link.speed, each.link.length, mtu)
        if found is None or kind in seen:
            continue
        seen.add(kind)
        without = needed(found[0], each.link.speed, each.link.length, mtu)
        if without is not None:
            yield Violation(
                path=each.path,
                message=f"the headroom of {each.own} {each.cable} counts on larger packets: {found[1]}",
                measured=f"{need.auto} bytes",
                bound=f"{without.auto} bytes if all packets were the smallest",
                fix=f"give buffers.chips.{chip.name} another assumption, or keep it when traffic is as assumed",
            )


def _worst(chip: Asic) -> tuple[Asic, str] | None:
    """Return a chip with the smallest packets in its formula, and what it assumes; ``None`` where it takes these."""
    pause = chip.pause
    if isinstance(pause, NvidiaPause):
        if pause.small_packets >= 100:
            return None
        assumed = f"{pause.small_packets}% small packets, others of {pause.lossless_mtu} bytes"
        return replace(chip, pause=replace(pause, small_packets=100)), assumed
    smallest = Fraction(chip.cell, ON_WIRE)
    if pause.waste >= smallest:
        return None
    assumed = f"{float(chip.cell / pause.waste):.4g} bytes on the wire per cell of {chip.cell}, not {ON_WIRE}"
    return replace(chip, pause=replace(pause, waste=smallest)), assumed

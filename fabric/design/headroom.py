"""Headroom: the buffer of a lossless priority of a port for what still arrives after the sender was asked to pause.

Two formulas, as functions of everything that they depend on: the one that SONiC computes for NVIDIA chips, and one for
merchant chips, whose constants are fitted to tables that vendors ship. `needed` takes the constants from the data of a
chip (``hardware/data/asics``). How close both come to published tables is measured by ``benchmarks/headroom.py`` and
held by ``tests/oracles``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Final

from fabric.hardware.asics import NvidiaPause

if TYPE_CHECKING:
    from fabric.hardware.asics import Asic, MerchantPause

SMALLEST: Final = 64
"""Bytes of the smallest frame; a pause frame is one."""
ON_WIRE: Final = 84
"""Bytes that the smallest frame takes on the wire, with preamble and gap (IEEE 802.3)."""
QUANTUM: Final = 64
"""Bytes of a pause quantum, 512 bit (IEEE 802.3 annex 31B)."""
LAYER2: Final = 22
"""Bytes that a frame has beside its IP packet: Ethernet header 14, VLAN tag 4, checksum 4."""
_KIB: Final = 1024
_MLX5_LEAST: Final = 40 * 10**9


@dataclass(frozen=True, slots=True)
class Need:
    """What one lossless priority of one port needs, in bytes.

    ``least`` arrives even when the peer stops at once and nothing is wasted: the frame that the pause frame has to wait
    for, the pause frame, and the cable both ways. ``auto`` is what is set aside: what the whole formula says (late
    peers, small packets that waste cells), with the margin of the chip, in whole cells (NVIDIA: in whole KiB, as SONiC
    does).
    """

    least: int
    auto: int


@cache
def needed(chip: Asic | None, speed: int, length: float, mtu: int) -> Need | None:
    """Return what a port of a chip needs; ``None`` where `why_not` has a reason.

    ``speed`` in bit/s, ``length`` of the cable in metres (0: not known), ``mtu`` the IP MTU in bytes. Equal arguments
    share one answer: a large fabric has few kinds of ports.
    """
    if chip is None or not length:
        return None
    pause = chip.pause
    if isinstance(pause, NvidiaPause):
        least = ceil(mtu + ON_WIRE + _cable(1 / pause.velocity, speed, length))
        return Need(least, nvidia(chip, pause, speed, length, mtu))
    taken = merchant(pause, speed, length, mtu + LAYER2) * float(pause.margin)
    return Need(certain(speed, length, mtu, pause.delay), cells(taken, chip.cell))


def certain(speed: int, length: float, mtu: int, delay: float = 5.0) -> int:
    """Return the bytes that arrive whatever the chip and the peer: a frame, the pause frame, both ways of the cable.

    ``delay`` is that of the cable in ns/m.
    """
    return ceil(mtu + LAYER2 + ON_WIRE + _cable(delay * 1e-9, speed, length))


def mlx5(speed: int, length: float, mtu: int) -> int:
    """Return the bytes that the driver mlx5 keeps above the threshold of a lossless receive buffer of a NIC port.

    Per Gbit/s (at least 40 of them) 301 bytes and 2.16 bytes a metre of cable, and 2.72 times the MTU: the constants of
    the Linux driver (``calculate_xoff`` in ``mlx5/core/en/port_buffer.c``).
    """
    gigabits = max(speed, _MLX5_LEAST) / 1e9
    return ceil(round((301 + 2.16 * length) * gigabits + 2.72 * mtu, 3))  # 2.72 is no exact number of a computer


def why_not(name: str, chip: Asic | None, length: float) -> str:
    """Return why the headroom of a port cannot be computed; empty where it can. ``name`` is what the model calls it."""
    if chip is None:
        return "no switch chip is known for the model" if name == "none" else f"no constants are known for {name}"
    return "" if length else "the cable has no length"


def nvidia(chip: Asic, pause: NvidiaPause, speed: int, length: float, mtu: int) -> int:
    """Return the xoff headroom in bytes, a whole number of KiB, for a port MTU in bytes (as SONiC computes it)."""
    return cells(nvidia_taken(chip, pause, speed, length, mtu), _KIB)


def nvidia_taken(chip: Asic, pause: NvidiaPause, speed: int, length: float, mtu: int) -> float:
    """Return the xoff headroom in bytes before it is rounded."""
    return pause.lossless_mtu + nvidia_wire(pause, speed, length, mtu) * occupancy(pause, chip.cell)


def nvidia_wire(pause: NvidiaPause, speed: int, length: float, mtu: int) -> float:
    """Return the bytes that still arrive: a frame, both ways of the cable, latencies, until the peer has stopped."""
    rate = speed / 8
    latency = pause.mac_phy * _KIB + (2 * pause.gearbox + pause.tile) * 1e-9 * rate
    return mtu + _cable(1 / pause.velocity, speed, length) + latency + _response(pause, speed)


def occupancy(pause: NvidiaPause, cell: int) -> float:
    """Return the bytes of cells that are taken per byte that arrives, for the assumed share of small packets.

    ``cell`` in bytes. A packet of 64 bytes takes ``cell / 64`` times its size; where cells have up to 128 bytes, the
    worst packet is one byte longer than a cell and takes two. Counted by bytes, the share of small packets is 64 bytes
    in the mean size of all packets: that is SONiC's, and more than they have.
    """
    waste = cell / SMALLEST if cell > 128 else 2 * cell / (1 + cell)
    factor = ceil(waste) if pause.whole else waste
    share = pause.small_packets / 100
    if pause.weighing == "bytes":
        share = SMALLEST / (share * SMALLEST + (1 - share) * pause.lossless_mtu)
    return 1 - share + share * factor


def xon(pause: NvidiaPause, lanes: int) -> int:
    """Return the bytes that a priority group of an NVIDIA chip has below xoff: its pipeline latency in whole KiB.

    A port of eight lanes has twice that.
    """
    return ceil(pause.pipeline) * _KIB * (2 if lanes == 8 else 1)


def merchant(pause: MerchantPause, speed: int, length: float, frame: int) -> float:
    """Return the bytes of buffer on a merchant chip, without margin, for frames of up to ``frame`` bytes."""
    counted = pause.counts_as.get(speed, speed)
    wire = pause.frames * frame + ON_WIRE + pause.extra + counted / 8 * pause.response * 1e-6
    return (wire + _cable(pause.delay * 1e-9, counted, length)) * float(pause.waste)


def cells(size: float, cell: int) -> int:
    """Return the bytes of the whole cells that hold ``size`` bytes."""
    return ceil(size / cell) * cell


def _response(pause: NvidiaPause, speed: int) -> float:
    """Return the bytes that arrive until the peer has stopped."""
    quanta = pause.quanta.get(speed)
    return pause.response * _KIB if quanta is None else quanta * QUANTUM


def _cable(delay: float, speed: int, length: float) -> float:
    """Return the bytes that a cable holds, both ways; ``delay`` in s/m."""
    return 2 * length * delay * speed / 8

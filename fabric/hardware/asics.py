"""What is known of a switch chip: its buffer cells, and the constants from which headroom is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

Weighing: TypeAlias = Literal["bytes", "packets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NvidiaPause:
    """The constants of the formula that SONiC has for NVIDIA chips, in all its revisions.

    ``pipeline`` and ``mac_phy`` are latencies in KiB, ``tile`` and ``gearbox`` in ns (0: none). ``quanta`` are the
    pause quanta (512 bit each) that the other end may take to stop, by speed in bit/s; a speed that is not among them
    takes ``response`` KiB. ``lossless_mtu`` (bytes) and ``small_packets`` (percent of all packets that have 64 bytes)
    are what traffic is assumed to be; ``weighing`` says whether their share counts by bytes (current revision) or by
    packets, ``whole`` whether cells of a small packet are rounded up (Spectrum-1). ``velocity`` is that of the signal
    in the cable, m/s.
    """

    pipeline: float
    mac_phy: float
    response: float
    quanta: Mapping[int, int]
    tile: float = 0
    gearbox: float = 0
    lossless_mtu: int
    small_packets: int
    weighing: Weighing = "bytes"
    whole: bool = False
    velocity: float = 1.98e8


@dataclass(frozen=True, slots=True, kw_only=True)
class MerchantPause:
    """The constants of the formula for merchant chips.

    ``waste`` are bytes of buffer per byte on the wire (cell / 84 for packets of 64 bytes in a cell each), ``frames``
    the largest frames that are under way, ``extra`` the bytes on the wire that the table of the chip has beside them at
    every speed, ``response`` the time in µs until the other end has stopped, with the latencies of both interfaces,
    ``delay`` that of the cable in ns/m. ``counts_as`` are speeds (bit/s) that have the values of a faster one, as in
    the tables that the constants are fitted to. ``margin`` is the factor that puts the result above every value of
    these at 100 Gbit/s and more.
    """

    waste: Fraction
    frames: int
    response: float
    delay: float = 5.0
    counts_as: Mapping[int, int] = field(default_factory=dict)
    extra: int = 0
    margin: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketBuffer:
    """The packet buffer of a chip, all in bytes.

    ``total`` is its memory; where it is not ``whole``, only what is published for its pools, and the chip has more.
    ``pools`` is what all pools can have together, headroom among them: the most that is published for one device.
    ``shared_headroom`` is the headroom pool of all ports, and ``port_headroom`` what one port may take of it, as
    published; ``group`` is what each lossless priority of each port has to itself. 0 where nothing is published.
    """

    total: int
    pools: int
    whole: bool = True
    shared_headroom: int = 0
    port_headroom: int = 0
    group: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Asic:
    """A switch chip: the size of its buffer cells in bytes, the constants of its formula, and where they come from.

    ``buffer`` is ``None`` where no figure was found. ``own`` are the names of constants that the user gave.
    ``lengths`` are the metres of cable for which published headroom tables of the chip have rows, by speed in bit/s.
    """

    name: str
    cell: int
    pause: NvidiaPause | MerchantPause
    source: tuple[str, ...]
    buffer: PacketBuffer | None = None
    own: tuple[str, ...] = ()
    lengths: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

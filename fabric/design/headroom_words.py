"""The headroom formulas in words, with all their inputs and where these come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.headroom import LAYER2, ON_WIRE, QUANTUM, occupancy, xon
from fabric.hardware.asics import NvidiaPause
from fabric.units import format_speed

if TYPE_CHECKING:
    from fabric.hardware.asics import Asic, MerchantPause


def formula(chip: Asic, speed: int, length: float, mtu: int) -> str:
    """Return the formula that gives the headroom of a port: speed in bit/s, metres, IP MTU in bytes."""
    pause = chip.pause
    if isinstance(pause, NvidiaPause):
        said = _nvidia(chip, pause, speed, length, mtu)
    else:
        said = _merchant(chip, pause, speed, length, mtu)
    own = f"own constants: {', '.join(chip.own)}; " if chip.own else ""
    return f"{said} ({chip.name}: {own}{'; '.join(chip.source)})"


def _merchant(chip: Asic, pause: MerchantPause, speed: int, length: float, mtu: int) -> str:
    counted = pause.counts_as.get(speed, speed)
    said = (
        format_speed(counted)
        if counted == speed
        else f"{format_speed(counted)}, as which {format_speed(speed)} counts,"
    )
    extra = f"{pause.extra} B extra + " if pause.extra else ""
    return (
        f"{float(pause.margin):g} margin x {chip.cell}/{float(chip.cell / pause.waste):g} cell waste x "
        f"({pause.frames} x {mtu + LAYER2} B frame of MTU {mtu} + {ON_WIRE} B pause frame + {extra}{said} x "
        f"({pause.response:g} us until the peer stops + 2 x {length:g} m x {pause.delay:g} ns/m)), "
        f"up to cells of {chip.cell} B"
    )


def _nvidia(chip: Asic, pause: NvidiaPause, speed: int, length: float, mtu: int) -> str:
    quanta = pause.quanta.get(speed)
    stops = f"{pause.response:g} KiB" if quanta is None else f"{quanta} quanta of {QUANTUM} B"
    latencies = [("gearbox", 2 * pause.gearbox), ("tile", pause.tile)]
    latency = "".join(f" + {format_speed(speed)} x {ns:g} ns {name}" for name, ns in latencies if ns)
    return (
        f"{pause.lossless_mtu} B lossless MTU + {occupancy(pause, chip.cell):.4g} cell occupancy x "
        f"({mtu} B MTU + {format_speed(speed)} x 2 x {length:g} m / {pause.velocity:.3g} m/s + "
        f"{pause.mac_phy:g} KiB MAC and PHY + {stops} until the peer stops{latency}), up to KiB; occupancy of cells of "
        f"{chip.cell} B with {pause.small_packets}% small packets, counted by {pause.weighing}; "
        f"xon {xon(pause, lanes=4)} B, twice that on eight lanes"
    )

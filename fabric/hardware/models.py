"""What is known of a switch model and of a NIC, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from fabric.hardware.ports import PortNames

_WHOLE: Final[Mapping[int, int]] = MappingProxyType({})
_FLITS: Final = 6
"""The first generation of PCIe that sends flits."""


@dataclass(frozen=True, slots=True)
class SystemPorts:
    """How a system that runs on a model names its ports, and the largest IP MTU (bytes) it accepts."""

    names: PortNames
    max_mtu: int


@dataclass(frozen=True)
class SwitchModel:
    """A switch model: ``ports`` usable for the fabric, ``speeds`` of a whole port in bit/s, ascending.

    ``breakouts`` are the ways in which a port can be broken out, each with the speeds (bit/s, ascending) of a part.
    ``systems`` are those that the data file lists; a node may still run another one (a warning, not an error).
    ``asic`` is ``none`` where there is no switch chip, or it does not matter. ``source`` says where numbers come from.
    ``logical`` is how many ports, parts counted one by one, there can be at once; ``None`` where that is not known.
    """

    name: str
    asic: str
    ports: int
    speeds: tuple[int, ...]
    systems: Mapping[str, SystemPorts]
    source: tuple[str, ...]
    breakouts: Mapping[int, tuple[int, ...]]
    logical: int | None = None

    def max_mtu(self, system: str) -> int | None:
        """Return the largest IP MTU (bytes) under ``system``, ``None`` when the system is not listed."""
        found = self.systems.get(system)
        return found.max_mtu if found else None

    def port_names(self, system: str, broken: Mapping[int, int] = _WHOLE) -> tuple[str, ...]:
        """Return the names of all ports in order, none when the system is not listed.

        ``broken`` says of port numbers (from 1) in how many parts they are broken out: those stand there instead.
        """
        found = self.systems.get(system)
        if found is None:
            return ()
        numbers = range(1, self.ports + 1)
        return tuple(
            found.names.name(number, sub, broken.get(number, 1))
            for number in numbers
            for sub in range(broken.get(number, 1))
        )

    def speeds_of(self, ways: int) -> tuple[int, ...]:
        """Return the speeds of a whole port (1 way) or of a part; none where there is no such breakout."""
        return self.speeds if ways == 1 else self.breakouts.get(ways, ())


@dataclass(frozen=True, slots=True)
class Pcie:
    """A PCIe interface: its ``generation``, from 3 on, and its ``lanes``.

    Source: PCI Express Base Specification; 8 GT/s a lane for generation 3, and twice as much for each further one. The
    line code leaves 128 of 130 bits, from generation 6 on 242 of 256 bytes.
    """

    generation: int
    lanes: int

    @property
    def bandwidth(self) -> int:
        """The bit/s that are left of it after the line code, in each direction."""
        used, sent = (128, 130) if self.generation < _FLITS else (242, 256)
        return (10**9 << self.generation) * self.lanes * used // sent

    def __str__(self) -> str:
        return f"{self.lanes} lanes of generation {self.generation}"


@dataclass(frozen=True, slots=True)
class NicModel:
    """A NIC: the ``driver`` that sets it, ``speeds`` in bit/s ascending, the largest IP MTU in bytes.

    ``names`` is ``None`` where the device names of a host cannot be known offline. ``pcie`` is the widest interface
    that cards of this name have, ``None`` where there is none. ``queues`` and ``lossless`` are how many classes it
    tells apart, and how many of them it can pause; ``None`` where eight are no problem, or it is not known.
    """

    name: str
    driver: str
    speeds: tuple[int, ...]
    max_mtu: int
    names: PortNames | None
    source: tuple[str, ...]
    pcie: Pcie | None = None
    queues: int | None = None
    lossless: int | None = None

"""devices: where NICs and GPUs are plugged in."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.settings.facet import Facet


@dataclass(frozen=True, slots=True)
class Device:
    """A device on PCIe: ``path`` from the root complex down, such as ``(pci0000:15, 0000:15:01.0, 0000:16:00.0)``.

    The device itself comes last. ``numa`` is the memory node of its root complex, -1 where the machine has but one.
    """

    path: tuple[str, ...]
    numa: int = -1


@dataclass(frozen=True)
class Devices(Facet[Device]):
    """NICs under their port names, GPUs under ``gpu <number>``, counted from 0."""

"""DCQCN parameters of NIC drivers, under the drivers' own names: what NICs take and come with.

One data file per driver under ``data/dcqcn``. A driver without one has parameters whose units and ranges are not
published, or no DCQCN at all: nothing is known of its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from fabric.errors import DesignError


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a NIC comes with (``default``) and takes: ``least`` to ``most``, ``None``: up to the rate of the port.

    ``unit`` as it is written after the number, empty for plain numbers.
    """

    default: int
    least: int
    most: int | None = None
    unit: str = ""

    def largest(self, speed: int) -> int:
        """Return the largest value that a port of ``speed`` bit/s takes."""
        return speed // 10**6 if self.most is None else self.most

    def takes(self, value: int, speed: int) -> bool:
        """Tell whether a port of ``speed`` bit/s takes a value."""
        return self.least <= value <= self.largest(speed)


@dataclass(frozen=True)
class DriverParameters:
    """All parameters of a driver under their names; ``counter`` is how many bytes its counter of bytes counts by."""

    driver: str
    named: Mapping[str, Parameter]
    counter: int
    source: tuple[str, ...]

    @cached_property
    def defaults(self) -> Mapping[str, int]:
        """What a NIC of this driver comes with, under the names of its parameters."""
        return {name: found.default for name, found in self.named.items()}


@cache
def drivers() -> tuple[str, ...]:
    """Return the drivers whose parameters are known, sorted."""
    names = (entry.name for entry in files("fabric.hardware").joinpath("data", "dcqcn").iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


@cache
def parameters(driver: str) -> DriverParameters:
    """Return the DCQCN parameters of a NIC driver; DesignError when nothing is known of them."""
    if driver not in drivers():
        raise DesignError(
            f"no DCQCN parameters are known of NIC driver {driver!r}", hint=f"known: {', '.join(drivers())}"
        )
    text = files("fabric.hardware").joinpath("data", "dcqcn", f"{driver}.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = YAML(typ="safe", pure=True).load(text)
    named = {name: Parameter(**row) for name, row in found["parameters"].items()}
    return DriverParameters(driver, named, int(found["counter"]), tuple(found["source"]))

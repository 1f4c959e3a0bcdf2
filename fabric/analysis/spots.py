"""Which whole port, and which part of it, each port in use is; what breakouts a switch thus has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from fabric.analysis.limits import model_of
from fabric.errors import DesignError
from fabric.hardware import lookup
from fabric.hardware.models import SwitchModel
from fabric.hardware.ports import WAYS, PortNames, Spot
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node


def spots(network: Network, node: Node) -> Mapping[str, Spot | None]:
    """Return the spot of each cabled port of a switch whose model and naming are known.

    ``None`` where the names that are in use on one port cannot all be there: a whole port and a part of it, or parts of
    different sizes.
    """
    if not isinstance(model_of(node), SwitchModel):
        return {}
    ports = node.facts.ports
    known = frozenset[str]() if isinstance(ports, Absent) else ports
    used = frozenset(own.port for _, own, _ in network.links_of[node.name])
    return _spots(node.model, node.system, known, used)


@lru_cache(maxsize=1024)
def _spots(model: str, system: str, known: frozenset[str], used: frozenset[str]) -> Mapping[str, Spot | None]:
    try:
        naming = lookup.naming(model, system)
    except DesignError:
        return {}
    by_number: dict[int, list[str]] = {}
    for name in sorted(used):
        spot = naming.spot(name)
        if spot is not None:
            by_number.setdefault(spot.number, []).append(name)
    found: dict[str, Spot | None] = {}
    for number, names in by_number.items():
        ways = _ways(naming, number, frozenset(names), known)
        found |= {name: naming.spot(name, ways) if ways else None for name in names}
    return found


def _ways(naming: PortNames, number: int, names: frozenset[str], known: frozenset[str]) -> int | None:
    """Return in how many parts a port is that has these names: as many as the node knows of, else as few as can be."""
    fitting = {ways: parts for ways in WAYS if names <= (parts := _parts(naming, number, ways))}
    there = [ways for ways, parts in fitting.items() if parts <= known]
    return max(there, default=min(fitting, default=None))


def _parts(naming: PortNames, number: int, ways: int) -> frozenset[str]:
    try:
        return frozenset(naming.name(number, sub, ways) for sub in range(ways))
    except DesignError:
        return frozenset()

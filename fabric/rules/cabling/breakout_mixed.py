"""A port is used whole, or in parts of one size.

What it does
    Looks at the ports of each switch that have cables, and reports a port that is in use whole and in parts, or in
    parts of different sizes. Where the names of a whole port and of its first part are the same (SONiC, EOS), the speed
    of the cable tells which is meant.

Why
    Breaking a port out takes the whole port away: the device then has no such port, and refuses what is set on it, or
    breaks the port out again and drops the links of the parts.

Fails
    ``swp1`` and ``swp1s1`` both have cables. An 800G cable at Ethernet0 and a 400G cable at Ethernet4 of one port.

Passes
    ``swp1s0`` and ``swp1s1`` have cables, ``swp2`` is used whole.

Options
    None.

Known limits
    Models and systems whose port names are not known are not judged. Parts of one port at different speeds are not
    reported where the model has parts of both speeds.

Source
    SONiC, dynamic port breakout (sonic-net/sonic-buildimage issue 15248 shows it: breaking Ethernet0 out deletes it,
    then makes the parts, and is refused while anything depends on it). Catalogue code B03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.limits import model_of
from fabric.analysis.spots import spots
from fabric.hardware.models import SwitchModel
from fabric.hardware.ports import Spot
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port of a switch that is in use in two ways at once."""
    for node in network.nodes.values():
        model = model_of(node)
        if isinstance(model, SwitchModel):
            where = spots(network, node)
            speeds = {own.port: link.speed for link, own, _ in network.links_of[node.name]}
            for names in (*_unfitting(where), *_too_fast(model, where, speeds)):
                yield _violation(node, names)


def _unfitting(where: Mapping[str, Spot | None]) -> Iterator[tuple[str, ...]]:
    """Yield the names that cannot all be there, together."""
    names = tuple(name for name, spot in where.items() if spot is None)
    if names:
        yield names


def _too_fast(
    model: SwitchModel, where: Mapping[str, Spot | None], speeds: Mapping[str, int]
) -> Iterator[tuple[str, ...]]:
    """Yield the names of a port of which a cable is as fast as only the whole port is."""
    ports: dict[int, list[tuple[str, Spot]]] = {}
    for name, spot in where.items():
        if spot is not None and spot.ways > 1:
            ports.setdefault(spot.number, []).append((name, spot))
    for parts in ports.values():
        first, spot = parts[0]
        offered = model.speeds_of(spot.ways)
        whole = offered and speeds[first] in model.speeds and speeds[first] > max(offered)
        if whole and len(parts) > 1 and all(speeds[name] in offered for name, _ in parts[1:]):
            yield tuple(name for name, _ in parts)


def _violation(node: Node, names: tuple[str, ...]) -> Violation:
    return Violation(
        path=f"{node.name}.links.{names[0]}",
        message=f"{', '.join(names)} of {node.name} have cables, and one port cannot be used whole and in parts "
        "(or in parts of different sizes) at once",
        measured=", ".join(names),
        bound="whole, or parts of one size",
        fix="give the cables of topology.cables ranges of ports that do not meet (ports, to_ports)",
    )

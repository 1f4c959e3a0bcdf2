"""Cables end at ports that the device has.

What it does
    Compares the ends of all links with the ports that are known of each node: live those that the device itself
    reports, offline those of its model.

Why
    A cable to a port that is not there cannot be plugged, and the device refuses its settings or, worse, ignores
    them.

Fails
    A link ends at leaf01:Ethernet1000 of a switch with 64 ports. Live: leaf01 reports no port swp9.

Passes
    Every end is a port of its device. A device whose ports are not known is not judged.

Options
    None.

Known limits
    Whether a port may be broken out in this way, or is used both whole and in parts, is for other rules.

Source
    The hardware data of each model, whose own sources (platform.json, port_config.ini) stand in the file. Catalogue
    code B03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import model_of
from fabric.analysis.spots import spots
from fabric.hardware.models import SwitchModel
from fabric.hardware.ports import Spot
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network, Node

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True

_UNKNOWN = Spot(0, 0, 1)


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per end of a link at a port that its node does not have."""
    for name, rows in network.links_of.items():
        node = network.nodes[name]
        ports = _ports(node)
        missing = [(own, far) for _, own, far in rows if own.port not in ports] if ports else []
        where = spots(network, node) if missing else {}
        for own, far in missing:
            if where.get(own.port, _UNKNOWN) is not None:
                yield Violation(
                    path=f"{name}.links.{own.port}",
                    message=f"the cable to {far} ends at {own}, but {name} ({node.model}) has no port {own.port}",
                    measured=own.port,
                    bound=f"one of the {len(ports)} ports of {node.model}",
                    fix="choose a model with more ports, fewer cables per pair, or fewer hosts",
                )


def _ports(node: Node) -> frozenset[str]:
    """Return the ports that a node has; none when they are not known."""
    ports = node.facts.ports
    if not isinstance(ports, Absent) and ports:
        return ports
    model = model_of(node)
    return frozenset(model.port_names(node.system)) if isinstance(model, SwitchModel) else frozenset()

"""Ports are broken out only in ways that the model has.

What it does
    Compares the ways in which the ports with cables are broken out (``to_ports: "1-32/4x"``, names such as ``swp1s3``)
    with those that the data of the switch model lists.

Why
    A port has as many lanes as it has. A breakout that the model lacks is refused by the device, and none of the links
    of the port come up.

Fails
    ``to_ports: "1-32/8x"`` on a model that breaks its ports out 2 and 4 ways.

Passes
    ``to_ports: "1-32/2x"`` there.

Options
    None.

Known limits
    A model whose data lists no breakout at all has none, or none is known of it: that is a warning. Rules of a model
    about neighbouring ports (a port that is lost when the one beside it is broken out) are not known.

Source
    The hardware data of each model (platform.json of SONiC, the makers' data sheets), whose sources stand in the file.
    Catalogue code B03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import model_of
from fabric.analysis.spots import spots
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch and way of breaking out that its model does not list."""
    for node in network.nodes.values():
        model = model_of(node)
        if not isinstance(model, SwitchModel):
            continue
        first: dict[int, str] = {}
        for name, spot in spots(network, node).items():
            if spot is not None and not model.speeds_of(spot.ways):
                first.setdefault(spot.ways, name)
        listed = ", ".join(f"{ways}x" for ways in sorted(model.breakouts))
        for ways, name in sorted(first.items()):
            yield Violation(
                path=f"{node.name}.links.{name}",
                message=f"ports of {node.name} are broken out {ways} ways, "
                f"which {model.name} {'does not do' if listed else 'is not known to do'}",
                measured=f"{ways}x",
                bound=listed or "no breakout that is known",
                fix="write ports (to_ports) with a breakout of the model, or choose another model",
                severity=None if listed else Severity.WARNING,
            )

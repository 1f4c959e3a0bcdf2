"""All ports and parts of ports together are no more than the chip has.

What it does
    Counts, for each switch whose model says how many logical ports it has, those that its cables need: one for a whole
    port, and as many as it is broken out into for any other.

Why
    A chip has room for fewer ports than its lanes allow: each pipeline serves so many of them. Beyond that the device
    refuses the breakout, and the links of that port do not come up.

Fails
    41 ports of a Z9864F-ON broken out 8 ways, 328 of 320.

Passes
    40 of them, and no other port in use.

Options
    None.

Known limits
    It is a warning, as the figures come from data sheets as others quote them. Models without ``logical`` in their data
    are not judged, nor are limits of each pipeline. Ports without a cable are taken to be given back.

Source
    The hardware data of each model, whose sources stand in the file. Catalogue code B03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import model_of
from fabric.analysis.spots import spots
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch whose cables need more logical ports than its model has."""
    for node in network.nodes.values():
        model = model_of(node)
        if not isinstance(model, SwitchModel) or model.logical is None:
            continue
        ways = {spot.number: spot.ways for spot in spots(network, node).values() if spot is not None}
        used = sum(ways.values())
        if used > model.logical:
            broken = sum(each > 1 for each in ways.values())
            yield Violation(
                path=f"{node.name}.links",
                message=f"{node.name} needs {used} logical ports ({len(ways)} ports with cables, {broken} of them "
                f"broken out), and {model.name} has {model.logical}",
                measured=f"{used} ports",
                bound=f"at most {model.logical} ports",
                fix="break out fewer ports or into fewer parts, or share the links among more switches",
            )

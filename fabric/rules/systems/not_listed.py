"""The model of every switch lists its system.

What it does
    Warns about each role whose model is not known to run the role's system.

Why
    Port names, speeds and limits are known per model and system. For a pair that nobody has listed, port names follow
    the system's usual pattern, and no limit can be checked: the plan may be right, but nothing vouches for it.

Fails
    ``model: as9736-64d`` with ``system: eos``.

Passes
    ``model: as9736-64d`` with ``system: sonic``; a ``generic-N`` model with a system that has a naming pattern.

Options
    None.

Known limits
    Releases are not compared.

Source
    The hardware data of each model (its own sources stand in the file).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import model_of
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per role with a pair of model and system that is not listed."""
    seen: set[tuple[str, str, str]] = set()
    for node in network.nodes.values():
        model, pair = model_of(node), (node.role, node.model, node.system)
        if not isinstance(model, SwitchModel) or node.system in model.systems or pair in seen:
            continue
        seen.add(pair)
        yield Violation(
            path=f"topology.switches.{node.role}.system",
            message=f"switch model {node.model} is not known to run {node.system}: its port names follow the usual "
            f"pattern of {node.system}, and its limits are not checked",
            measured=node.system,
            bound=f"one of {', '.join(model.systems)}",
            fix="compare the port names of fabric show with the device before rendering",
        )

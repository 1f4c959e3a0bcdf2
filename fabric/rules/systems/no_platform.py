"""The system of every node can be rendered.

What it does
    Notes each role whose system has no platform here: its nodes can be designed and judged, but not rendered, read or
    changed.

Why
    Better said while the file is written than by ``render``, which stops there with exit code 3.

Fails
    ``system: sonic`` while there is no platform of that name.

Passes
    Every role runs a system that has a folder under ``platforms/``.

Options
    None.

Known limits
    Whether the platform knows this release is not asked.

Source
    The folders under ``platforms/``: the place is the registration.

Since
    0.1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.platforms.lookup import has_system, systems
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.NOTE


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per role whose system has no platform."""
    roles = Counter((node.kind, node.role, node.system) for node in network.nodes.values())
    for (kind, role, system), count in roles.items():
        if not has_system(kind, system):
            yield Violation(
                path=f"topology.{'switches' if kind == 'switch' else 'hosts'}.{role}.system",
                message=f"{kind} system {system} has no platform yet: the {count} nodes of the role {role} "
                "can be designed and judged, not rendered",
                measured=system,
                bound=f"one of {', '.join(systems(kind)) or 'none so far'}",
                fix="nothing to do for validate; render, plan and apply need a platform",
            )

"""Every node answers on its management address.

What it does
    Looks whether each node could be reached, let us in, and could be read.

Why
    A node that cannot be read cannot be judged, and an apply would leave it behind the others.

Passes
    The node was read.

Fails
    There was no connection, the key was refused, the host key was another, or the answers could not be read.

Skips
    Never.

Known limits
    Only the one way is tried that the access settings name.

Source
    The reading of this run.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabric.checks.contract import Seen
from fabric.checks.outcomes import failed, passed
from fabric.results import CheckResult
from fabric.settings.facet import Facet

FACETS: tuple[type[Facet[Any]], ...] = ()
SAMPLES = 1


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per node that was asked."""
    for name in seen.design.network.nodes:
        if name in seen.unreached:
            yield failed(name, f"{name} was not reached: {seen.unreached[name]}", "an answer", "none")
        elif name in seen.readings:
            yield passed(name, f"{name} answers")

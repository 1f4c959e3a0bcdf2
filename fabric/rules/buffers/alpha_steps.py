"""A dynamic threshold is one that the system can set.

What it does
    Compares the alpha of lossless and lossy queues with those that the system of the switch takes: powers of two within
    a range.

Why
    Systems take alpha as an exponent or from a list. Another value is refused, or rounded to one that was not meant.

Fails
    ``alpha: 1/10`` and ``alpha: 0.3`` on all systems that are known; ``alpha: 1/128`` on EOS.

Passes
    ``alpha: 1/8``; any value on a system whose steps are not known, such as NX-OS.

Options
    None.

Known limits
    Chips may take fewer steps than their system lets through: some from 1/128 to 8 only.

Source
    The ranges stand, with their sources, in the data of each system: 1/256 to 128 on SONiC, 1/64 to 8 on EOS, 1/128 to
    8 on Junos, 1/128 to 64 on Cumulus Linux. Catalogue code G13.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.hardware.lookup import alpha_steps
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port and threshold that its system does not take."""
    for node in network.nodes.values():
        steps = alpha_steps(node.system)
        if node.kind != "switch" or steps is None:
            continue
        taken = {float(step) for step in steps}
        for port, row in node.settings.rows(Buffers).items():
            for key, alpha in (("alpha", row.alpha), ("lossy_alpha", row.lossy_alpha)):
                if not isinstance(alpha, Absent) and alpha not in taken:
                    yield Violation(
                        path=f"{node.name}.buffers.{port}",
                        message=f"{key} of {node.name}:{port} is {alpha:g}, which {node.system} does not take",
                        measured=f"{alpha:g}",
                        bound=f"a power of two from {steps[0]} to {steps[-1]}",
                        fix=f"write {key}: {max((step for step in steps if step <= alpha), default=steps[0])}",
                        cause=f"{node.name}.buffers.{port}.{key}",
                    )

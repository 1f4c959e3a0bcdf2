"""How many ports of a switch can be paused at once without loss.

What it does
    Prints, where it is asked for, how many ports of each switch can be paused at once without loss, whichever they are:
    the largest number whose headroom is within what is set aside.

Why
    A shared headroom pool is a bet on how many neighbours are slow at once. This is the stake, in ports.

Fails
    Speaks of each switch on which a priority is paused and whose chip and headroom are known.

Passes
    A chip that is not known; no lossless class.

Options
    Runs only where it is selected: ``fabric validate --select buffers.paused-at-once``.

Known limits
    Ports that need most are counted first, and all lossless priorities of a port as paused together.

Source
    The sum of the largest headrooms against what is set aside. Catalogue code G17.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.budgets import budgets, cause_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import megabytes

SEVERITY = Severity.NOTE
ON_REQUEST = True


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch with headroom."""
    for node, found in budgets(network):
        yield Violation(
            path=f"{node.name}.buffers",
            message=f"{found.paused_at_once} of the {len(found.ports)} ports of {node.name} can be paused at once "
            f"without loss: {megabytes(found.kept)} are set aside for {megabytes(found.demand)} of headroom",
            measured=f"{found.paused_at_once} ports",
            bound=f"{len(found.ports)} ports",
            fix="nothing, or another buffers.oversubscribe",
            cause=cause_of(node),
        )

"""Headroom is not promised many times over.

What it does
    Compares, per switch, the headroom of all ports and lossless priorities together with what is set aside for it, by
    ``buffers.oversubscribe`` or as the headroom pool of the switch: more than 2 times is a warning, more than 10 times
    an error.

Why
    A shared headroom pool counts on few ports being paused at once. Collective operations are made to be in step: all
    receivers of an all-to-all slow down together, and so do their senders. When the pool is full, lossless packets are
    dropped although each port is within its own headroom.

Fails
    64 ports with two lossless priorities of 434 KB each need 55.6 MB: with a pool of 22 MB that is 2.5 times (warning);
    with one of 5 MB 11.1 times (error).

Passes
    A pool of 28 MB; no pool and no ``oversubscribe``: each port has its own.

Options
    None. The figures are printed by ``fabric show NODE --why`` and buffers.paused-at-once.

Known limits
    How many ports are paused at once under the traffic of a fabric is not known here. Ports that have no lossless
    traffic are counted as long as PFC is on.

Source
    The bound of the warning is a judgement. That of the error lies above all that ships: in the tables of SONiC, two
    priorities on all ports exceed the pool 0.7 to 8.7 times, half of them more than 2.3 times. Catalogue code G05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.budgets import RATIO, budgets, cause_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import megabytes

SEVERITY = Severity.WARNING
_WANTED = 2
_MOST = 10


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch that promises its headroom too often."""
    for node, found in budgets(network):
        if found.demand <= found.kept * _WANTED:
            continue
        hard = found.demand > found.kept * _MOST
        most, cause = _MOST if hard else _WANTED, cause_of(node)
        instead = f"write {RATIO}: {most}" if cause == RATIO else f"set aside {-(-found.demand // most)} bytes or more"
        yield Violation(
            path=f"{node.name}.buffers",
            message=f"{node.name} sets aside {megabytes(found.kept)} for {megabytes(found.demand)} of headroom: "
            f"{found.paused_at_once} of its {len(found.ports)} ports can be paused at once without loss",
            measured=f"{found.demand} bytes, {found.demand / found.kept:.1f} times",
            bound=f"at most {found.kept * most} bytes, {most} times",
            fix=f"{instead}, or have fewer lossless classes on these ports",
            severity=Severity.ERROR if hard else None,
            cause=cause,
        )

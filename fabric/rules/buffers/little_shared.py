"""Headroom leaves room for bursts.

What it does
    Compares, per switch, what all queues share with the buffer of the chip: less than 30 % is a warning.

Why
    Headroom is set aside whether it is used or not. What is left absorbs bursts and is where ECN marks; the less it is,
    the sooner queues reach the threshold at which the switch pauses its neighbours.

Fails
    Two lossless classes on 64 ports of 800G over 100 m on Tomahawk 5: 138 MB of headroom leave 26 of 173 MB.

Passes
    One lossless class there; two with ``oversubscribe: 2``.

Options
    None.

Known limits
    Where only the pools of a chip are published, the share is one of these. A switch that shares nothing at all is a
    matter of buffers.beyond-chip.

Source
    A judgement; the pools that SONiC ships for the chips of the hardware data leave 44 % and more. Catalogue code G07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fabric.analysis.budgets import budgets, cause_of, remedy
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import megabytes

SEVERITY = Severity.WARNING
_LEAST = 30


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per switch that shares too little."""
    for node, found in budgets(network):
        if found.shared < 0 or found.shared * 100 >= found.total * _LEAST:
            continue
        yield Violation(
            path=f"{node.name}.buffers",
            message=f"on {node.name}, {megabytes(found.kept)} of headroom for {len(found.ports)} ports and "
            f"{megabytes(found.reserved)} that are reserved leave {megabytes(found.shared)} of "
            f"{megabytes(found.total)} for all queues to share",
            measured=f"{found.shared * 100 / found.total:.1f}%, {found.shared} bytes",
            bound=f"at least {_LEAST}%, {-(-found.total * _LEAST // 100)} bytes",
            fix=remedy(node, found, Fraction(found.total * (100 - _LEAST), 100) - found.reserved),
            cause=cause_of(node),
        )

"""A port has few lossless classes.

What it does
    Counts the priorities for which PFC is on, on every port: more than 2 is a warning, more than 3 an error.

Why
    Each lossless priority of each port has headroom of its own, set aside whether it is used or not. It grows with the
    number of classes, and comes out of the buffer that absorbs bursts; the third halves what the second left. Many
    switch chips have room for two lossless classes at full speed, and watchdogs of some misjudge when several are
    paused at once.

Fails
    Four lossless classes on one port (error); three (warning).

Passes
    Two, or three in all with ``edge`` so that no port carries more than two.

Options
    None.

Known limits
    Whether the headroom really fits is asked by buffers.beyond-chip and buffers.little-shared. Lossless classes of
    different tenants count like any others.

Source
    SONiC's shipped configurations have two lossless priorities, 3 and 4. Catalogue codes D08, K05.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pfc

SEVERITY = Severity.WARNING

_WANTED = 2
_MOST = 3


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per set of paused priorities that is too large, at the first port that has it."""
    ports: dict[frozenset[int], list[End]] = {}
    for node in network.nodes.values():
        for port, row in node.settings.rows(Pfc).items():
            if len(row.priorities) > _WANTED:
                ports.setdefault(row.priorities, []).append(End(node.name, port))
    for priorities, ends in ports.items():
        hard = len(priorities) > _MOST
        yield Violation(
            path=f"{ends[0].node}.pfc.{ends[0].port}",
            message=f"PFC is on for {len(priorities)} priorities ({', '.join(map(str, sorted(priorities)))}): "
            f"{several(ends)}",
            measured=f"{len(priorities)} lossless priorities",
            bound=f"at most {_MOST if hard else _WANTED}",
            fix="make a class lossy, join two, or keep one away from this port with edge",
            severity=Severity.ERROR if hard else None,
        )

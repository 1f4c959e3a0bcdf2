"""PFC works in both directions, and pauses nothing besides.

What it does
    Where a system tells the pauses that a port sends from those that it obeys, compares both with the priorities for
    which PFC is on: switches send and obey them all, hosts obey them at least, and none obeys more (a warning).

Why
    A switch that does not send pauses overflows, one that does not obey them makes the neighbour overflow. Asymmetric
    PFC, as SONiC has it towards servers, obeys pauses of all priorities: one host then stops lossy classes, and CNPs,
    at its leaf.

Fails
    leaf01:Ethernet0 has PFC for priority 3 and sends no pauses, or obeys pauses of priorities 0 to 7 (``pfc_asym on``).

Passes
    leaf01:Ethernet0 sends and obeys pauses of priority 3. A host obeys them and sends none.

Options
    None.

Known limits
    Systems that know one set for both directions have nothing to judge.

Source
    SONiC, asymmetric PFC high-level design (a port obeys pauses of all priorities, and sends them for lossless ones).
    Catalogue code E04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Kind, Network
from fabric.settings.pfc import Pause, Pfc

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port and direction that does less, or more, than PFC is on for."""
    for name, node in network.nodes.items():
        for port, row in node.settings.rows(Pfc).items():
            for what, does, severity in _wrong(row, node.kind):
                yield Violation(
                    path=f"{name}.pfc.{port}",
                    message=f"{name}:{port} has PFC for {listed(row.priorities)}, and {what} {listed(does)}",
                    measured=f"{what} {listed(does)}",
                    bound=listed(row.priorities),
                    fix="switch PFC on in both directions for the lossless priorities, and asymmetric PFC off",
                    severity=severity,
                )


def _wrong(row: Pause, kind: Kind) -> Iterator[tuple[str, frozenset[int], Severity | None]]:
    """Yield direction, what is done in it, and how bad that is where it is not an error."""
    sent, received = row.sent, row.received
    if kind == "switch" and not isinstance(sent, Absent) and not row.priorities <= sent:
        yield "sends pauses of", sent, None
    if not isinstance(received, Absent) and not row.priorities <= received:
        yield "obeys pauses of", received, None
    elif not isinstance(received, Absent) and received != row.priorities:
        yield "obeys pauses of", received, Severity.WARNING

"""A NIC has room for the classes of its port.

What it does
    Counts the queues and the paused priorities of each NIC port, and compares them with what the hardware data says
    that its NIC tells apart, and can pause.

Why
    Not every NIC has eight classes. One that has room for a single lossless class refuses the second, or joins both:
    its driver says so in a line that nobody reads, and one of the two classes loses packets at the host.

Fails
    Two lossless classes on a port of an Intel E810 or a Broadcom Thor, which pause one; five queues on an E810, which
    has four.

Passes
    One lossless class, four queues; ``edge`` keeps the second lossless class away from these hosts. ConnectX of any
    number of classes.

Options
    None.

Known limits
    NICs of which there is no such data are not judged.

Source
    The hardware data of each NIC, whose own sources stand in the file. Catalogue code D02.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import cards
from fabric.analysis.ends import listed
from fabric.design.model import Design
from fabric.hardware.models import NicModel
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.settings.pfc import Pfc
from fabric.settings.queues import Queues

SEVERITY = Severity.ERROR


def check(document: Document, design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port and number that is beyond its NIC."""
    for end, nic in cards(document, design).items():
        if nic.lossless is not None or nic.queues is not None:
            yield from _beyond(network, end, nic)


def _beyond(network: Network, end: End, nic: NicModel) -> Iterator[Violation]:
    settings = network.nodes[end.node].settings
    pause, scheduler = settings.rows(Pfc).get(end.port), settings.rows(Queues).get(end.port)
    if pause is not None and nic.lossless is not None and len(pause.priorities) > nic.lossless:
        yield Violation(
            path=f"{end.node}.pfc.{end.port}",
            message=f"{end} is to pause {listed(pause.priorities)}, and {nic.name} can pause {nic.lossless} of them",
            measured=f"{len(pause.priorities)} lossless",
            bound=f"at most {nic.lossless}",
            fix="make one class lossy, or keep it away from these hosts with edge",
        )
    if scheduler is not None and nic.queues is not None and len(scheduler.queues) > nic.queues:
        yield Violation(
            path=f"{end.node}.queues.{end.port}",
            message=f"{end} is to have {len(scheduler.queues)} queues, and {nic.name} has {nic.queues}",
            measured=f"{len(scheduler.queues)} queues",
            bound=f"at most {nic.queues}",
            fix="let two lossy classes share a queue, or keep one away from these hosts with edge",
        )

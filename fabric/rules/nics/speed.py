"""A NIC runs at the speed of its cable.

What it does
    Compares the speed of the cable at each NIC port with the speeds of the NIC that its host role (or the host itself)
    names; further NICs of the same machines (``of``) are judged by their own model.

Why
    A cable for a speed that the NIC does not have gives no link, or one that falls back to a lower speed and makes the
    slowest rail of the job.

Fails
    A cable of 400G to a ``connectx-6``, which does 200G at most.

Passes
    A cable of 100G to a ``connectx-7``, which does 400G and slower.

Options
    None.

Known limits
    NICs of which there is no data are not judged. What all ports of a NIC do together, and its PCIe slot, are not
    known.

Source
    The hardware data of each NIC, whose own sources stand in the file. Catalogue codes B02 and J01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import cards
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(document: Document, design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port whose cable has a speed that the NIC has not."""
    found = cards(document, design)
    for link in network.links:
        nic = found.get(link.a)
        if nic is None or link.speed in nic.speeds:
            continue
        slower = [speed for speed in nic.speeds if speed < link.speed]
        yield Violation(
            path=f"{link.a.node}.links.{link.a.port}",
            message=f"the cable between {link.a} and {link.b} is planned for {format_speed(link.speed)}, "
            f"which {nic.name} does not run at",
            measured=format_speed(link.speed),
            bound=f"one of {', '.join(map(format_speed, nic.speeds))}",
            fix=f"plan the cable for {format_speed(max(slower, default=nic.speeds[0]))}, or choose another NIC",
        )

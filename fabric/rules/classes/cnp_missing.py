"""Congestion notifications have a class of their own.

What it does
    Looks for a class ``cnp`` where a class is slowed down by DCQCN.

Why
    Without one, the notifications that receivers send to slow senders down are sorted as whatever their DSCP belongs
    to, most often ``default``, and wait behind bulk traffic in the very congestion that they report: senders hear of it
    late, and queues grow until pauses begin.

Fails
    ``rdma: {rdma: true, lossless: true, ecn: {...}}`` and no class ``cnp``.

Passes
    ``cnp: {dscp: 48, priority: 6, strict: true}``; ``congestion: pfc-only``, ``nic`` or ``none``.

Options
    None.

Known limits
    A class that carries notifications under another name is not recognised: ``cnp`` is the reserved name. Whether the
    class is served in time is asked by classes.cnp-lossless and queues.strict-unbounded.

Source
    DCQCN (SIGCOMM 2015) section 3.3: notifications are sent with high priority; NVIDIA's RoCE preset for Cumulus Linux
    has them in a strict queue. Catalogue code D04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.classes import CNP
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation where classes wait for notifications that have no class."""
    told = [found.name for found in design.classes if found.congestion == "dcqcn"]
    if told and all(found.name != CNP for found in design.classes):
        yield Violation(
            path=f"classes.{told[0]}",
            message=f"notifications for class {' and '.join(told)} have no class: they wait among other traffic",
            measured="no class cnp",
            bound="a class cnp",
            fix=f"write classes: {{{CNP}: {{dscp: 48, priority: 6, strict: true}}}}, with the DSCP that the NICs send",
        )

"""The class of a job carries RDMA.

What it does
    Looks at the class that ``jobs.nccl`` names.

Why
    NICs mark RDMA packets with the DSCP of this class. A class that is not meant for RDMA gives them to a queue without
    pause and marks; one without a DSCP to send leaves them unmarked, and they end in the class ``default``.

Fails
    ``jobs: {nccl: {class: bulk}}`` where ``bulk`` has no ``rdma: true``; a class for which there is no ``mark``.

Passes
    ``jobs: {nccl: {class: rdma}}`` with ``rdma: {rdma: true, dscp: 26, ...}``.

Options
    None.

Known limits
    What a job sets by itself (NCCL_IB_TC) is not known.

Source
    NVIDIA NCCL documentation, NCCL_IB_TC: the traffic class of RDMA packets, four times the DSCP. Catalogue code I10.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation when the class of a job does not carry RDMA, else one when it has no DSCP to send."""
    jobs = document.intent.jobs
    if jobs is None or jobs.nccl is None:
        return
    wanted = jobs.nccl.class_
    for each in design.classes:
        if each.name != wanted:
            continue
        if not each.rdma:
            said, measured, bound = "does not carry RDMA", "rdma: false", "rdma: true"
        elif each.mark is None:
            said, measured, bound = "has no DSCP for hosts to send", "no mark", "a mark"
        else:
            continue
        yield Violation(
            path="jobs.nccl.class",
            message=f"jobs of NCCL use class {wanted}, which {said}",
            measured=measured,
            bound=bound,
            fix=f"name a class with rdma: true and a mark, or make {wanted} such a class",
        )

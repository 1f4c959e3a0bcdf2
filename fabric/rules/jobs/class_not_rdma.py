"""The class of a job carries RDMA.

What it does
    Looks at the classes that ``jobs.nccl`` names, for all of a job and for single communicators.

Why
    NICs mark RDMA packets with the DSCP of this class. A class that is not meant for RDMA gives them to a queue without
    pause and marks; one without a DSCP to send leaves them unmarked, and they end in the class ``default``.

Fails
    ``jobs: {nccl: {class: bulk}}`` where ``bulk`` has no ``rdma: true``; a class for which there is no ``mark``;
    ``communicators: {parameters: bulk}``.

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

from fabric.design.model import Design, TrafficClass
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per class of jobs that does not carry RDMA, or has no DSCP to send."""
    jobs = document.intent.jobs
    if jobs is None or jobs.nccl is None:
        return
    named = {"jobs.nccl.class": ("jobs of NCCL use", jobs.nccl.class_)}
    for name, wanted in jobs.nccl.communicators.items():
        named[f"jobs.nccl.communicators.{name}"] = (f"communicators {name} of NCCL use", wanted)
    by_name = {each.name: each for each in design.classes}
    for path, (who, wanted) in named.items():
        if wanted in by_name:
            yield from _class(path, who, by_name[wanted])


def _class(path: str, who: str, found: TrafficClass) -> Iterator[Violation]:
    if not found.rdma:
        said, measured, bound = "does not carry RDMA", "rdma: false", "rdma: true"
    elif found.mark is None:
        said, measured, bound = "has no DSCP for hosts to send", "no mark", "a mark"
    else:
        return
    yield Violation(
        path=path,
        message=f"{who} class {found.name}, which {said}",
        measured=measured,
        bound=bound,
        fix=f"name a class with rdma: true and a mark, or make {found.name} such a class",
    )

"""All traffic of a job is carried where the job runs.

What it does
    Takes the host roles whose ports carry the class of ``jobs.nccl``, and asks that they carry the class of every
    communicator as well; and that the class of ``jobs.nccl`` is carried somewhere.

Why
    A communicator may have a class of its own, such as a lossy one for parameters. On ports that do not carry it, its
    packets are those of ``default``: the job works, and part of it is slow, or drops, for no reason that anyone sees.

Fails
    ``jobs: {nccl: {class: gradients, communicators: {checkpoints: storage}}}`` with ``storage: {edge: [storage]}``
    where jobs run on ``gpu``.

Passes
    ``storage: {edge: [gpu, storage]}``; communicators of classes without ``edge``.

Options
    None.

Known limits
    Jobs are believed to run on every host that carries the class of ``jobs.nccl``.

Source
    NCCL user guide, NCCL_IB_TC (one traffic class per communicator). Catalogue code I10.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import carrying
from fabric.design.classes import communicator_classes
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per communicator whose class some hosts of the job do not carry."""
    jobs = document.intent.jobs
    if jobs is None or jobs.nccl is None:
        return
    main = next(found for found in design.classes if found.name == jobs.nccl.class_)
    roles = carrying(design, main)
    for name, found in communicator_classes(document.intent, design.classes).items():
        lacking = [role for role in roles if not found.carried(role)]
        if lacking:
            yield Violation(
                path=f"jobs.nccl.communicators.{name}",
                message=f"communicator {name} uses class {found.name}, which ports to {' and '.join(lacking)} do not "
                f"carry, and jobs run there in class {main.name}",
                measured=f"edge {', '.join(found.edge or ())}",
                bound=f"edge {', '.join(roles)}",
                fix=f"add {', '.join(lacking)} to classes.{found.name}.edge, or give the communicator another class",
            )

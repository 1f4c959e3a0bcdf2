"""Tenants may use the classes of their jobs.

What it does
    Compares the classes that jobs are told to use (``jobs.nccl``, communicators included) with the ``classes`` of each
    tenant.

Why
    Jobs mark their packets with the class that ``jobs`` names, on all hosts. A tenant that may not use it has its RDMA
    traffic thrown into the class ``default``, without pause and marks.

Fails
    ``jobs: {nccl: {class: rdma}}`` with ``tenants: {blue: {classes: [bulk], ...}}``.

Passes
    ``tenants: {blue: {classes: [rdma, bulk], ...}}``; a tenant without ``classes``, which may use all.

Options
    None.

Known limits
    There is one set of jobs for all tenants.

Source
    RFC 2475 section 2.3.1 (traffic is marked anew where it is not allowed to be what it claims). Catalogue code K01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per tenant that may not use all classes of jobs."""
    used = dict.fromkeys(design.job_classes.values())
    for tenant in design.tenants:
        missing = [name for name in used if tenant.classes is not None and name not in tenant.classes]
        if missing:
            yield Violation(
                path=f"tenants.{tenant.name}.classes",
                message=f"jobs use class {', '.join(missing)}, which tenant {tenant.name} may not use",
                measured=", ".join(tenant.classes or ()),
                bound=", ".join(used),
                fix=f"add {', '.join(missing)} to the classes of {tenant.name}, or leave classes out",
            )

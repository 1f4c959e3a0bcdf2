"""Classes that stop each other belong to one kind of host.

What it does
    Notes a lossless class that jobs use (``jobs``) and that ports of several host roles carry, where cables join these
    roles.

Why
    A pause stops a class, not a server. When many compute servers write a checkpoint to few storage servers at once,
    these pause their leaf, the leaf the spines, and the spines all others: collectives that have nothing to do with it
    wait as well.

Fails
    ``jobs: {nccl: {class: rdma}}`` where ports of the roles gpu and store both carry class rdma, on one fabric.

Passes
    ``rdma: {edge: [gpu]}`` and a class of its own for store; storage NICs on switches of their own; a class that is
    not lossless.

Options
    None.

Known limits
    What a role is for is not known: two roles of compute servers are noted as well. Storage that compute servers reach
    over the NICs of one role is not told apart: that is what classes with ``traffic`` labels are for.

Source
    Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (pauses that spread to those who have nothing to do
    with them); a choice of ours. Catalogue code K04.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.edges import carrying, role_of_port
from fabric.analysis.joined import joined
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End

SEVERITY = Severity.NOTE


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per lossless class of jobs that several joined host roles carry."""
    used = frozenset(design.job_classes.values())
    for each in design.classes:
        roles = carrying(design, each) if each.lossless and each.name in used else ()
        if len(roles) < 2:
            continue
        part = _parts(design)
        groups: dict[str, list[str]] = {}
        for role in roles:
            groups.setdefault(part[role], []).append(role)
        for sharing in groups.values():
            if len(sharing) > 1:
                yield Violation(
                    path=f"classes.{each.name}",
                    message=f"hosts of the roles {', '.join(sharing)} share the lossless class {each.name} of the "
                    "jobs: an incast of one kind stops the others",
                    measured=f"{len(sharing)} host roles",
                    bound="1 host role",
                    fix=f"write edge: [{sharing[0]}] for class {each.name}, and give {', '.join(sharing[1:])} another",
                )


def _parts(design: Design) -> Mapping[str, str]:
    """Return for each role, of switches and of NICs, one that stands for all roles that cables join with it."""
    of_port, nodes = role_of_port(design), design.network.nodes

    def role(end: End) -> str:
        return of_port.get(end) or nodes[end.node].role

    return joined((role(link.a), role(link.b)) for link in design.network.links)

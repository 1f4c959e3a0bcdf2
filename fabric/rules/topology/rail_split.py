"""One NIC number leads to one leaf in each group of hosts.

What it does
    For host roles with ``attach: rail``, takes the hosts whose NICs share leaves as a group, and reports each NIC port
    that does not land on the leaf on which that port of most hosts of the group lands.

Why
    Jobs send from NIC r of one server to NIC r of the others, and expect to stay below one leaf. A NIC on another leaf
    sends all of that over the spines, beside the traffic that has to go there, and is slower than all others.

Fails
    A list cables nic1 of gpu03 to leaf02 and its nic2 to leaf01, while nic1 of all others is on leaf01.

Passes
    NIC r of every host of a group is on leaf r of the group, also where several rails share a leaf.

Options
    None.

Known limits
    Groups follow from the cables: hosts that share no leaf are two groups. Cables that are swapped in the rack and not
    in the file are found by the check cabling.lldp.

Source
    Wang et al., Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion Parameters, 2023,
    section 3; NVIDIA NCCL documentation, NCCL_CROSS_NIC (0: rings stay on one NIC number). Catalogue code B08.

Since
    0.1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from fabric.analysis.joined import joined
from fabric.design.model import Design, Rail
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING

Leaves = tuple[str, ...]


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per NIC port on another leaf than that of most hosts."""
    roles = document.intent.topology.hosts
    by_role: dict[str, list[Rail]] = {}
    for rail in design.rails:
        if rail.role in roles and roles[rail.role].attach == "rail":
            by_role.setdefault(rail.role, []).append(rail)
    for rails in by_role.values():
        yield from _role(rails)


def _role(rails: list[Rail]) -> Iterator[Violation]:
    group = _groups(rails)
    lands: dict[tuple[str, int, int], list[tuple[Rail, Leaves]]] = {}
    for rail in rails:
        lands.setdefault((group[rail.leaf], rail.rail, rail.leg), []).append((rail, rail.leaves or (rail.leaf,)))
    for rows in lands.values():
        if all(leaves == rows[0][1] for _, leaves in rows):
            continue
        usual = Counter(leaves for _, leaves in rows).most_common(1)[0][0]
        for rail, leaves in rows:
            if leaves != usual:
                yield _violation(rail, leaves, usual)


def _groups(rails: list[Rail]) -> Mapping[str, str]:
    """Return for each leaf one that stands for all leaves that hosts join with it."""
    home: dict[str, str] = {}
    return joined((home.setdefault(rail.node, leaf), leaf) for rail in rails for leaf in rail.leaves or (rail.leaf,))


def _violation(rail: Rail, leaves: Leaves, usual: Leaves) -> Violation:
    found, wanted = " and ".join(leaves), " and ".join(usual)
    return Violation(
        path=f"{rail.node}.links.{rail.port}",
        message=f"{rail.node}:{rail.port} (NIC {rail.rail}) is on {found}, that of most hosts beside it on {wanted}",
        measured=found,
        bound=wanted,
        fix=f"cable {rail.node}:{rail.port} to {wanted}",
    )

"""The two ports of a pair lead to two leaves.

What it does
    Looks at NICs with several ports, at bonds, and at the pairs of NIC ports of ``attach: dual``, and reports those of
    which all ports end on one leaf. Hosts with ``attach: leaf`` want one leaf and are left out.

Why
    Two ports are paid for so that a leaf may fail, or be updated, while jobs run. Both on one leaf fail together.

Fails
    A list cables both members of bond1 of gpu01 to leaf01.

Passes
    nic1p1 on leaf01 and nic1p2 on leaf02.

Options
    None.

Known limits
    Whether two leaves share power, or a switch above, is not known.

Source
    Qian et al., Alibaba HPN: A Data Center Network for Large Language Model Training, SIGCOMM 2024, section 4 (two
    leaves for each NIC, and what a failing one did before). Catalogue code B09.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import edges
from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.intent.sections.topology import HostRole
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network

SEVERITY = Severity.WARNING


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per host role with pairs of ports on one leaf, at the first of them."""
    roles = document.intent.topology.hosts
    network = design.network
    ports: dict[tuple[str, str], list[End]] = {}
    for link, role in edges(network, design):
        if role is not None:
            ports.setdefault((role, link.a.node), []).append(link.a)
    found: dict[str, list[tuple[End, ...]]] = {}
    for (role, _), own in ports.items():
        size = _together(roles[role]) if role in roles else 1
        pairs = [tuple(own[start : start + size]) for start in range(0, len(own), size)] if size > 1 else []
        alone = [pair for pair in pairs if len(pair) == size and len({_leaf(network, end) for end in pair}) == 1]
        if alone:
            found.setdefault(role, []).extend(alone)
    for role, rows in found.items():
        yield _violation(role, rows, _leaf(network, rows[0][0]))


def _together(role: HostRole) -> int:
    """Return how many ports of a host, in order, are to end on different leaves."""
    if role.attach == "leaf":
        return 1
    return 2 if role.attach == "dual" and role.ports == 1 else role.ports


def _leaf(network: Network, end: End) -> str:
    return network.ends[end][1].node


def _violation(role: str, rows: list[tuple[End, ...]], leaf: str) -> Violation:
    first, more = rows[0], len(rows) - 1
    others = f", and so do {more} more pairs of {role} hosts" if more else ""
    return Violation(
        path=f"{first[0].node}.links.{first[0].port}",
        message=f"{' and '.join(end.port for end in first)} of {first[0].node} all end on {leaf}{others}: "
        "they fail together",
        measured=f"{len(rows)} on 1 leaf",
        bound="2 leaves",
        fix="cable the ports of each pair to different leaves, or write attach: leaf where one is meant",
    )

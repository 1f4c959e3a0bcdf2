"""A bond sees one partner.

What it does
    Compares the LACP system ids that the leaves of each host's bond give, and reports a bond whose leaves give
    different ones, or of which a leaf has no bond at all.

Why
    A host joins only those members of a bond that lead to one system. Two leaves with different ids are two systems:
    one of them is left out, and the NIC has half its speed.

Fails
    bond1 of gpu01 leads to leaf01 and leaf02, whose bonds have the system ids 02:fa:10:00:00:08 and 02:fa:10:00:10:08.

Passes
    Both leaves give 02:fa:10:00:00:08. An id that is not known is not judged.

Options
    None.

Known limits
    System priority and keys of ports are not compared.

Source
    IEEE 802.1AX section 6.3.2 (a link aggregation group is known by the system ids of both sides).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.logical import far_bonds
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.bonds import Bonds
from fabric.settings.facet import ABSENT, Absent, Maybe
from fabric.settings.network import End, Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per bond of a host whose leaves are not one partner."""
    for name, node in network.nodes.items():
        if node.kind != "host" or not node.settings.rows(Bonds):
            continue
        for bond, ends in far_bonds(network, name).items():
            known = {end: _partner(network, end) for end in sorted(ends)}
            given = {end: found for end, found in known.items() if not isinstance(found, Absent)}
            if len(set(given.values())) > 1:
                said = ", ".join(f"{end} {found or 'no bond'}" for end, found in given.items())
                yield Violation(
                    path=f"{name}.bonds.{bond}",
                    message=f"{bond} of {name} leads to several partners: {said}",
                    measured=said,
                    bound="one system id at all leaves",
                    fix="make the ports of the leaves a bond, with one LACP system id on all of them",
                )


def _partner(network: Network, end: End) -> Maybe[str | None]:
    """Return the system id of a bond of a leaf: ``None`` where there is no bond, absent where that is not known."""
    bonds = network.nodes[end.node].settings.get(Bonds)
    if isinstance(bonds, Absent):
        return ABSENT
    row = bonds.rows.get(end.port)
    return None if row is None else row.system_id

"""Bonds: the ports of a NIC as one link to several leaves.

The host's bond has the address of its first port, each leaf holds the gateway on its side, and all leaves of one bond
give the same LACP system id: ``02:fa`` and 32 bits of the first leaf's place and port, a locally administered address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.design.layout import Attachment

LACP = "lacp"


def bonded(row: Attachment) -> bool:
    """Tell whether a cable belongs to a bond."""
    return row.cards.intent.bond == LACP


def host_bond(row: Attachment) -> str:
    """Return the name of a bond on its host."""
    return bond_name(row.nic + 1)


def bond_name(nic: int) -> str:
    """Return the name of the bond of a NIC, counted from 1, on its host."""
    return f"bond{nic}"


def members(row: Attachment, together: Sequence[Attachment]) -> tuple[Attachment, ...]:
    """Return the cables of a bond that end on the leaf of ``row``; ``together`` are all cables of the bond."""
    return tuple(each for each in together if each.leaf is row.leaf)


def leaf_bond(row: Attachment, together: Sequence[Attachment]) -> str:
    """Return the name of a bond on the leaf of ``row``, after the first of its ports there."""
    spot = members(row, together)[0].spot
    return f"bond{spot.number}" if spot.ways == 1 else f"bond{spot.number}s{spot.sub}"


def system_id(first: Attachment) -> str:
    """Return the LACP system id that the leaves of a bond share; ``first`` is the cable of the NIC's first port."""
    leaf, spot = first.leaf, first.spot
    number = (leaf.number % 16) << 28 | (leaf.index % 2**16) << 12 | (spot.number % 2**9) << 3 | spot.sub
    octets = ("02", "fa", *(f"{number >> shift & 0xFF:02x}" for shift in (24, 16, 8, 0)))
    return ":".join(octets)


def ways_out(nics: Sequence[Attachment]) -> Iterator[tuple[Attachment, ...]]:
    """Yield the cables of a host in order, those of one bond together."""
    rows: list[Attachment] = []
    for row in nics:
        if rows and not (bonded(row) and rows[-1].nic == row.nic):
            yield tuple(rows)
            rows = []
        rows.append(row)
    if rows:
        yield tuple(rows)

"""AS numbers: one for all switches of a role (``per: tier``), or first + i for switch i from 0 (``per: device``)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from fabric.design.faults import Gathered, fault

if TYPE_CHECKING:
    from fabric.design.layout import SwitchGroup
    from fabric.intent.document import Document

PRIVATE = ((64512, 65534), (4200000000, 4294967294))
LARGEST = 4294967294
RESERVED = {23456: "RFC 6793", 65535: "RFC 7300"}


def asn(group: SwitchGroup, node: int) -> int:
    """Return the AS number of switch ``node`` (from 0) of a role."""
    first = group.intent.asn.first
    return first if group.intent.asn.per == "tier" else first + node


def check_asns(document: Document, groups: tuple[SwitchGroup, ...]) -> None:
    """Raise DesignError when the numbers of a role leave the range they begin in, or two roles share numbers.

    Roles of one tier may share the number that they have ``per: tier``.
    """
    faults = Gathered()
    for group in groups:
        with faults:
            _check_end(document, group)
    for one, other in combinations(groups, 2):
        with faults:
            _check_apart(document, one, other)
    faults.end()


def _check_apart(document: Document, one: SwitchGroup, other: SwitchGroup) -> None:
    if _overlap(one, other):
        raise fault(
            document,
            f"topology.switches.{other.role}.asn",
            f"AS numbers of roles {one.role!r} ({_span(one)}) and {other.role!r} ({_span(other)}) overlap",
            f"choose another asn.first for {other.role}; leave room for growth between roles",
        )


def _check_end(document: Document, group: SwitchGroup) -> None:
    first, last = group.intent.asn.first, asn(group, len(group.names) - 1)
    bound = next((high for low, high in PRIVATE if low <= first <= high), LARGEST)
    if last > bound:
        raise fault(
            document,
            f"topology.switches.{group.role}.asn",
            f"AS numbers of role {group.role!r} run from {first} to {last}; the range they begin in ends at {bound}",
            f"begin lower, or at {PRIVATE[1][0]}, which leaves room for every fabric",
        )
    for number, source in RESERVED.items():
        if first <= number <= last:
            raise fault(
                document,
                f"topology.switches.{group.role}.asn",
                f"AS number {number} of role {group.role!r} is reserved ({source}): no router may have it",
                f"use private numbers: {' or '.join(f'{low} to {high}' for low, high in PRIVATE)}",
            )


def _overlap(group: SwitchGroup, other: SwitchGroup) -> bool:
    if group.tier == other.tier and group.intent.asn.per == other.intent.asn.per == "tier":
        return False
    low, high = group.intent.asn.first, asn(group, len(group.names) - 1)
    return low <= asn(other, len(other.names) - 1) and other.intent.asn.first <= high


def _span(group: SwitchGroup) -> str:
    first, last = asn(group, 0), asn(group, len(group.names) - 1)
    return f"{first}" if first == last else f"{first} to {last}"

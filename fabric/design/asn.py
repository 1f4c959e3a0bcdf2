"""AS numbers.

per tier: ``first`` for all; per pod: ``first`` + pod - 1; per device: ``first`` + the switch's place in the role, pods
``stride`` numbers apart. A given number wins; a computed one that meets it is refused.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabric.design.faults import Gathered, fault
from fabric.design.layout import Switch, Wire, stride_of
from fabric.design.overrides import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.intent.document import Document

PRIVATE = ((64512, 65534), (4200000000, 4294967294))
LARGEST = 4294967294
RESERVED = {23456: "RFC 6793", 65535: "RFC 7300"}


def asn(switch: Switch) -> int:
    """Return the AS number of a switch: the given one, else the computed one."""
    return switch.given.asn or computed(switch)


def computed(switch: Switch) -> int:
    """Return the AS number that the role gives a switch."""
    plan, pod = switch.intent.asn, (switch.pod or 1) - 1
    if plan.per == "tier":
        return plan.first
    if plan.per == "pod":
        return plan.first + pod
    return plan.first + pod * (plan.stride or stride_of(switch.intent)) + switch.ordinal


def check_asns(document: Document, switches: Sequence[Switch]) -> None:
    """Raise DesignError when the numbers of a role leave the range they begin in, or two switches meet in one.

    Roles of one tier may share the number that they have ``per: tier``, and given numbers may be alike.
    """
    roles: dict[str, list[Switch]] = defaultdict(list)
    for switch in switches:
        roles[switch.role].append(switch)
    faults = Gathered()
    for rows in roles.values():
        with faults:
            _check_end(document, rows)
    _check_apart(document, roles, faults)
    faults.end()


def _check_apart(document: Document, roles: dict[str, list[Switch]], faults: Gathered) -> None:
    owner: dict[int, Switch] = {}
    for switch in (switch for rows in roles.values() for switch in rows):
        other = owner.setdefault(asn(switch), switch)
        if other is switch or _may_share(switch, other):
            continue
        given = next((each for each in (switch, other) if each.given.asn is not None), None)
        with faults:
            if given is not None:
                raise _met(document, given, other if given is switch else switch)
            raise fault(
                document,
                f"topology.switches.{switch.role}.asn",
                f"AS numbers of roles {other.role!r} ({_span(roles[other.role])}) and {switch.role!r} "
                f"({_span(roles[switch.role])}) overlap",
                f"choose another asn.first for {switch.role}; leave room for growth between roles",
            )


def check_neighbours(document: Document, wires: Iterable[Wire]) -> None:
    """Refuse two switches with a cable between them and one AS number: sessions are between different ones."""
    faults = Gathered()
    for lower, upper in dict.fromkeys((wire.lower, wire.upper) for wire in wires):
        if asn(lower) == asn(upper):
            given = lower if lower.given.asn is not None else upper
            with faults:
                raise fault(
                    document,
                    path_of(document, given, "asn"),
                    f"{lower.name} and {upper.name} are neighbours, and both have AS number {asn(lower)}",
                    "give them different numbers: all sessions are between different ones (EBGP)",
                )
    faults.end()


def _may_share(one: Switch, other: Switch) -> bool:
    if one.given.asn is not None and other.given.asn is not None:
        return True
    plans = {one.intent.asn.per, other.intent.asn.per}
    if one.role == other.role:
        return plans == {"tier"} or (plans == {"pod"} and one.pod == other.pod)
    return one.tier == other.tier and plans == {"tier"}


def _met(document: Document, given: Switch, other: Switch) -> Exception:
    return fault(
        document,
        path_of(document, given, "asn"),
        f"AS number {asn(given)} is given to {given.name}, and role {other.role!r} gives it to {other.name}",
        f"give {other.name} a number as well, or choose another asn.first for {other.role}",
    )


def _check_end(document: Document, rows: list[Switch]) -> None:
    role, first = rows[0].role, rows[0].intent.asn.first
    last = max(computed(switch) for switch in rows)
    bound = next((high for low, high in PRIVATE if low <= first <= high), LARGEST)
    if last > bound:
        raise fault(
            document,
            f"topology.switches.{role}.asn",
            f"AS numbers of role {role!r} run from {first} to {last}; the range they begin in ends at {bound}",
            f"begin lower, or at {PRIVATE[1][0]}, which leaves room for every fabric",
        )
    for switch in rows:
        if asn(switch) in RESERVED:
            given = switch.given.asn is not None
            raise fault(
                document,
                path_of(document, switch, "asn") if given else f"topology.switches.{role}.asn",
                f"AS number {asn(switch)} of {switch.name} is reserved ({RESERVED[asn(switch)]}): "
                "no router may have it",
                f"use private numbers: {' or '.join(f'{low} to {high}' for low, high in PRIVATE)}",
            )


def _span(rows: list[Switch]) -> str:
    first, last = min(map(asn, rows)), max(map(asn, rows))
    return f"{first}" if first == last else f"{first} to {last}"

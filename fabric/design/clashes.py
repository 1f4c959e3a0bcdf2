"""Clashes: a given address that a computed one meets is refused, with both named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric.design.faults import Gathered, fault
from fabric.errors import DesignError

if TYPE_CHECKING:
    from fabric.design.addressing import Pair
    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment, Wire

Claim = tuple[str, str, str]
"""An address, who has it, and the path of the intent that gives it (empty for a computed one)."""


def check_clashes(blueprint: Blueprint) -> None:
    """Raise DesignError for all given addresses that other ports have as well."""
    if not _any_given(blueprint):
        return
    faults = Gathered()
    owner: dict[str, Claim] = {}
    for claim in _claims(blueprint):
        other = owner.setdefault(claim[0], claim)
        if other is not claim and (claim[2] or other[2]) and claim[1] != other[1]:
            with faults:
                raise _clash(blueprint, claim, other)
    faults.end()


def _any_given(blueprint: Blueprint) -> bool:
    layout = blueprint.layout
    cables = any(line.from_address for line in blueprint.document.cables)
    return cables or any(switch.given.loopback for switch in layout.switches)


def _claims(blueprint: Blueprint) -> Iterator[Claim]:
    pools = blueprint.pools
    for switch in blueprint.layout.switches:
        given = {str(address) for address in switch.given.loopback or ()}
        for address in pools.loopback(switch):
            path = f"nodes.{switch.place}.loopback" if address in given else ""
            yield address, f"loopback of {switch.name}", path
    for wire, pairs in blueprint.links.items():
        for pair in pairs:
            path = _path(wire, pair)
            yield pair.lower, f"{wire.lower.name}:{wire.lower_port}", path
            yield pair.upper, f"{wire.upper.name}:{wire.upper_port}", path
    for row, pairs in blueprint.edges.items():
        for pair in pairs:
            path = _path(row, pair)
            yield pair.lower, f"NIC {row.nic + 1} of {row.host.name}", path
            yield pair.upper, f"the gateway of NIC {row.nic + 1} of {row.host.name}", path


def _path(row: Wire | Attachment, pair: Pair) -> str:
    """Return where a pair of addresses is given; empty where it is computed."""
    given = any(str(lower) == pair.lower for lower, _ in row.given)
    return f"topology.cables.{row.laid.entry}" if given else ""


def _clash(blueprint: Blueprint, claim: Claim, other: Claim) -> DesignError:
    given, met = (claim, other) if claim[2] else (other, claim)
    return fault(
        blueprint.document,
        given[2],
        f"{given[0]} is given to {given[1]}, and {met[1]} has it {'as well' if met[2] else 'by computation'}",
        "give another address, or choose a pool that does not hold it",
    )

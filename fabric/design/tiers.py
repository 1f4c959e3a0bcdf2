"""Tiers from cables: hosts are tier 0, the switch role that hosts attach to is tier 1, the one above it tier 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabric.design.faults import fault
from fabric.intent.document import Document
from fabric.intent.sections.topology import Cable
from fabric.intent.tiers import Joint, tiers


def tier_of(document: Document, listed: Iterable[tuple[str, str]]) -> Mapping[str, int]:
    """Return the tier of every role; ``listed`` are pairs of roles between which cables are listed one by one.

    DesignError when no cables lead from hosts up to a role, or when lists make two roles equal that cables are
    generated between.
    """
    topology = document.intent.topology
    generated = ((entry.from_, entry.to) for entry in topology.cables if isinstance(entry, Cable))
    joints = [Joint(index, *pair) for index, pair in enumerate((*generated, *dict.fromkeys(listed)))]
    found = tiers(topology.hosts, joints)
    for role in topology.switches:
        if role not in found:
            raise fault(
                document,
                f"topology.switches.{role}",
                f"topology.switches.{role}: no cables lead from hosts up to this role",
                "add cables to it, or take the role out",
            )
    for index, entry in enumerate(topology.cables):
        if isinstance(entry, Cable) and found[entry.from_] == found[entry.to]:
            raise fault(
                document,
                f"topology.cables.{index}",
                f"topology.cables.{index}: {entry.from_} and {entry.to} are both tier {found[entry.to]}, "
                "as the lists cable both of them to what is below",
                "cables lead from one tier up to another: take these out, or the lines that make the roles equal",
            )
    return found


def lower_and_upper(cable: Cable, tier: Mapping[str, int]) -> tuple[str, str]:
    """Return the two roles of a cable, the one nearer to the hosts first."""
    ends = (cable.from_, cable.to)
    return ends if tier[ends[0]] < tier[ends[1]] else (ends[1], ends[0])

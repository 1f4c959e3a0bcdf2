"""Attachment: on which leaf, and in which slot of it, each NIC of a host lands.

All three ways are one formula. Leaves form groups of ``leaves`` (rail: as many as a host has NICs; leaf: one;
dual: two); hosts fill the groups in order, ``per_group`` each. With host and NIC counted from 0:

- leaf  = host // per_group * leaves + nic % leaves
- slot  = nic // leaves * per_group + host % per_group

so that a further host, a further leaf, and (where the hosts have one group of leaves) a further NIC leave every
earlier NIC where it is. With several groups a further NIC makes the groups of ``rail`` larger, and hosts of later
groups move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.faults import fault

if TYPE_CHECKING:
    from fabric.intent.document import Document
    from fabric.intent.models import HostRole


@dataclass(frozen=True, slots=True)
class Landing:
    """How the hosts of one role land: leaves of a group, hosts of a group, and the slots that earlier roles took."""

    leaves: int
    per_group: int
    slots: int
    first: int = 0

    def leaf(self, host: int, nic: int) -> int:
        """Return the index of the leaf (from 0) for host and NIC, both from 0."""
        return host // self.per_group * self.leaves + nic % self.leaves

    def slot(self, host: int, nic: int) -> int:
        """Return the slot on that leaf (from 0); its port is the next number."""
        return self.first + nic // self.leaves * self.per_group + host % self.per_group


def landing(document: Document, role: str, leaf_role: str, first: int) -> Landing:
    """Return how the hosts of ``role`` land on ``leaf_role``; ``first`` slots of each leaf belong to earlier roles.

    DesignError when ``per_group`` is missing, NICs do not pair, or the hosts do not fit into the leaves.
    """
    hosts = document.intent.topology.hosts[role]
    per_group = _per_group(document, role, hosts)
    width = {"rail": hosts.nics, "leaf": 1, "dual": 2}[hosts.attach]
    groups = -(-hosts.count // per_group)
    have = document.intent.topology.switches[leaf_role].count
    if groups * width > have:
        raise fault(
            document,
            f"topology.hosts.{role}",
            f"{hosts.count} {role} hosts, {per_group} to a group, need {groups} groups of "
            f"{width} {'leaf' if width == 1 else 'leaves'}, {groups * width} in all; role {leaf_role!r} has {have}",
            f"set topology.switches.{leaf_role}.count to {groups * width}, or raise topology.hosts.{role}.per_group "
            f"as far as the leaf has ports for it",
        )
    return Landing(leaves=width, per_group=per_group, slots=-(-hosts.nics // width) * per_group, first=first)


def _per_group(document: Document, role: str, hosts: HostRole) -> int:
    path = f"topology.hosts.{role}"
    if hosts.attach == "dual" and hosts.nics % 2:
        raise fault(
            document,
            path,
            f"attach dual lands NICs in pairs, and {role} hosts have {hosts.nics}",
            "give an even number of nics",
        )
    if hosts.per_group is not None:
        return hosts.per_group
    if hosts.attach == "rail":
        return hosts.count
    raise fault(
        document,
        path,
        f"attach {hosts.attach} needs per_group for {role} hosts",
        f"write how many hosts share {'a leaf' if hosts.attach == 'leaf' else 'two leaves'}, such as per_group: 16",
    )

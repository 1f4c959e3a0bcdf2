"""Attachment: on which leaf, and in which place of it, each NIC port of a host lands.

All three ways are one formula. Leaves form groups of ``width`` (rail: as many as a host has NIC ports, or as the key
``leaves`` says; leaf: one; dual: two), ``leaves`` of them set aside for each; hosts fill the groups in order,
``per_group`` each. With hosts, NICs and their ports counted from 0, and q = nic * ports + port:

- leaf  = host // per_group * leaves + q % width
- place = q // width * per_group + host % per_group

so that a further host, a further leaf, and (where the hosts have one group of leaves, or a ``stride``) a further NIC
leave every earlier NIC where it is. Where hosts and leaves are there once per pod, both are counted within it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric.design.faults import fault
from fabric.design.layout import Attachment, Cards, Host, Laid, Switch, machines_of
from fabric.design.room import Rooms, Wanted, check_sane
from fabric.intent.document import Document
from fabric.intent.sections.topology import Cable, HostRole


@dataclass(frozen=True, slots=True)
class Landing:
    """How the hosts of one role land: width of a group, leaves set aside for it, hosts of a group."""

    width: int
    leaves: int
    per_group: int

    def leaf(self, host: int, port: int) -> int:
        """Return the index of the leaf (from 0) for a host and NIC port, both from 0."""
        return host // self.per_group * self.leaves + port % self.width

    def place(self, host: int, port: int) -> int:
        """Return the place on that leaf (from 0)."""
        return port // self.width * self.per_group + host % self.per_group


def attachments(
    document: Document,
    entry: int,
    hosts: Sequence[tuple[Host, Cards]],
    leaves: Mapping[int | None, Sequence[Switch]],
    rooms: Rooms,
) -> Iterator[Attachment]:
    """Yield the cables of a generated entry between hosts and leaves, host by host, port by port.

    ``leaves`` are those of the role, by pod. DesignError when the hosts do not fit.
    """
    cable = document.intent.topology.cables[entry]
    if not isinstance(cable, Cable) or not hosts:
        return
    cards = hosts[0][1]
    role, intent, leaf = cards.role, cards.intent, next(iter(leaves.values()))[0]
    _check_cable(document, entry, cable, role)
    landed = landing(document, role, leaf.role, len(next(iter(leaves.values()))))
    ports = intent.nics * intent.ports
    places = -(-ports // landed.width) * landed.per_group
    fixed = intent.per_group is not None and intent.attach == "rail"
    key = "to_ports" if cable.from_ == role else "ports"
    written = cable.to_ports if key == "to_ports" else cable.ports
    if written is None:
        hint = f"lower topology.hosts.{role}.per_group, or nics"
        check_sane(document, f"topology.hosts.{role}", leaf, (places, hint))
    choose = rooms.take(Wanted(entry, key, leaf.role, "down", places, fixed, written))
    laid = Laid(entry, cable.speed, float(cable.length_m or 0), cable.media, cable.fec)
    for host, given in hosts:
        below = leaves[host.pod]
        for number, port in enumerate(given.ports):
            switch = below[landed.leaf(host.ordinal, number)]
            spot = choose(switch, landed.place(host.ordinal, number))
            nic, leg = divmod(number, intent.ports)
            name = switch.naming.name(spot.number, spot.sub, spot.ways)
            yield Attachment(host, given, given.first + nic, leg, port, switch, spot, name, laid)


def landing(document: Document, role: str, leaf_role: str, have: int) -> Landing:
    """Return how the hosts of ``role`` land on ``have`` leaves of ``leaf_role`` (of each pod, where it has pods).

    DesignError when ``per_group`` is missing, NICs do not pair, or the hosts do not fit into the leaves.
    """
    hosts, machines = document.intent.topology.hosts[role], machines_of(document.intent.topology, role)
    per_group = _per_group(document, role, hosts, machines.count)
    width = {"rail": hosts.leaves or hosts.nics * hosts.ports, "leaf": 1, "dual": 2}[hosts.attach]
    leaves = max(hosts.stride or width, width)
    groups = -(-machines.count // per_group)
    need = (groups - 1) * leaves + width
    if need > have:
        pod = " of each pod" if machines.per == "pod" else ""
        raise fault(
            document,
            f"topology.hosts.{role}",
            f"{machines.count} {role} hosts{pod}, {per_group} to a group, need {groups} groups of "
            f"{leaves} {'leaf' if leaves == 1 else 'leaves'}, {need} in all; role {leaf_role!r} has {have}",
            f"set topology.switches.{leaf_role}.count to {need}, or raise topology.hosts.{role}.per_group "
            f"as far as the leaf has ports for it",
        )
    return Landing(width, leaves, per_group)


def leaves_by_pod(
    document: Document, entry: int, hosts: Sequence[Host], leaves: Sequence[Switch]
) -> Mapping[int | None, Sequence[Switch]]:
    """Return the leaves that hosts of each pod attach to; DesignError when only one of the two roles has pods."""
    found: dict[int | None, list[Switch]] = defaultdict(list)
    for leaf in leaves:
        found[leaf.pod].append(leaf)
    if {host.pod for host in hosts} - found.keys():
        one, other = (hosts[0].role, leaves[0].role) if hosts[0].pod is None else (leaves[0].role, hosts[0].role)
        raise fault(
            document,
            f"topology.cables.{entry}",
            f"topology.cables.{entry}: {other} has per: pod, and {one} has not",
            f"write per: pod for both {one} and {other}, or for neither; count is then that of one pod",
        )
    return found


def _check_cable(document: Document, entry: int, cable: Cable, role: str) -> None:
    if cable.per_pair != 1:
        raise fault(
            document,
            f"topology.cables.{entry}.per_pair",
            f"cable {cable.from_} to {cable.to}: per_pair is {cable.per_pair}, and a NIC port has one cable",
            f"leave per_pair out, and give topology.hosts.{role}.nics or ports",
        )


def _per_group(document: Document, role: str, hosts: HostRole, count: int) -> int:
    path = f"topology.hosts.{role}"
    if hosts.attach == "dual" and hosts.nics * hosts.ports % 2:
        raise fault(
            document,
            path,
            f"attach dual lands NICs in pairs, and {role} hosts have {hosts.nics}",
            "give an even number of nics",
        )
    if hosts.per_group is not None:
        return hosts.per_group
    if hosts.attach == "rail":
        return count
    raise fault(
        document,
        path,
        f"attach {hosts.attach} needs per_group for {role} hosts",
        f"write how many hosts share {'a leaf' if hosts.attach == 'leaf' else 'two leaves'}, such as per_group: 16",
    )

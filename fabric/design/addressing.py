"""Addresses: a place for every node and port, so that growth moves nobody.

- Loopbacks: the pool is cut into 16 equal blocks; the k-th switch role of the file owns block k, and its node i
  (from 1) has address i of the block (address 0 is not used), as /32.
- Hosts: one /31 per NIC. The pool is counted in /31s; a leaf owns ``stride`` of them (its ports, rounded up to a power
  of two), and port p the (p - 1)-th. The leaf has the even address, the host the odd one.
- Links: unnumbered, or one /31 per cable likewise, by the port of the lower switch. The upper end has the even
  address, the lower end the odd one.

In both pools of /31s the first role that owns some begins at 0, the second at 1/16 of the pool, and so on (leaf roles
in file order; for links by tier, then file order). A single role may use the whole pool. Not kept: the place of a role
when another one is put before it, and all places when a model with more ports takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Layout, SwitchGroup, Wire
from fabric.intent.document import Document

BLOCKS = 16
_FAR = 1 << 12


@dataclass(frozen=True, slots=True)
class Pairs:
    """A pool counted in /31s: which one each role's first switch begins with."""

    pool: IPv4Network
    starts: Mapping[str, int]

    def of_nic(self, row: Attachment) -> int:
        """Return the index of the /31 between a NIC and its leaf."""
        return self._index(row.leaf, row.leaf_index, row.leaf_number)

    def of_wire(self, wire: Wire) -> int:
        """Return the index of the /31 of a cable between switches."""
        return self._index(wire.lower, wire.lower_index, wire.lower_number)

    def formula_of_nic(self, row: Attachment) -> str:
        """Return in words how `of_nic` comes about."""
        return self._formula(row.leaf, row.leaf_index, row.leaf_number)

    def formula_of_wire(self, wire: Wire) -> str:
        """Return in words how `of_wire` comes about."""
        return self._formula(wire.lower, wire.lower_index, wire.lower_number)

    def _formula(self, group: SwitchGroup, node: int, number: int) -> str:
        if number > group.stride:
            return f"port {number} is beyond the {group.stride} /31s of a switch: an address outside {self.pool}"
        index = self._index(group, node, number)
        return (
            f"/31 number {self.starts[group.role]} + {node} x {group.stride} + {number} - 1 = {index} of {self.pool} "
            f"({group.names[node]}, port {number})"
        )

    def _index(self, group: SwitchGroup, node: int, number: int) -> int:
        if number > group.stride:
            # Rules report the port; an address of its own keeps them from reporting duplicates of it as well.
            return self.pool.num_addresses // 2 + node * _FAR + number
        return self.starts[group.role] + node * group.stride + number - 1

    def even(self, index: int) -> str:
        """Return the even address of a /31."""
        return _address(int(self.pool.network_address) + 2 * index)

    def odd(self, index: int) -> str:
        """Return the odd address of a /31."""
        return _address(int(self.pool.network_address) + 2 * index + 1)


@dataclass(frozen=True, slots=True)
class Pools:
    """Where every address comes from; ``links`` is ``None`` when links are unnumbered."""

    loopbacks: IPv4Network
    hosts: Pairs
    links: Pairs | None

    def loopback(self, group: SwitchGroup, node: int) -> str:
        """Return the loopback address (without length) of switch ``node`` (from 0) of a role."""
        block = self.loopbacks.num_addresses // BLOCKS
        return _address(int(self.loopbacks.network_address) + group.number * block + node + 1)


def pools(document: Document, layout: Layout) -> Pools:
    """Return where every address comes from; DesignError when a pool or a block of it is too small."""
    addressing, links = document.intent.addressing, None
    leaves = tuple(group for group in layout.switches if group.tier == 1)
    faults = Gathered()
    with faults:
        _check_loopbacks(document, layout.switches)
    with faults:
        hosts = _pairs(document, "addressing.hosts", addressing.hosts, leaves)
    if addressing.links != "unnumbered":
        with faults:
            links = _pairs(document, "addressing.links", addressing.links, _lower_groups(layout))
    faults.end()
    return Pools(addressing.loopbacks, hosts, links)


def _lower_groups(layout: Layout) -> tuple[SwitchGroup, ...]:
    """Return the roles that have cables upwards, by tier and then in file order."""
    lower = {wires[0].lower.role: wires[0].lower for wires in layout.uplinks.values()}
    return tuple(sorted(lower.values(), key=lambda group: (group.tier, group.number)))


def _address(number: int) -> str:
    return str(IPv4Address(number & 0xFFFFFFFF))


def _check_loopbacks(document: Document, groups: tuple[SwitchGroup, ...]) -> None:
    pool = document.intent.addressing.loopbacks
    if len(groups) > BLOCKS:
        raise fault(
            document,
            "topology.switches",
            f"{len(groups)} switch roles, and the loopback pool {pool} has {BLOCKS} blocks",
            f"use at most {BLOCKS} switch roles",
        )
    room = max(pool.num_addresses // BLOCKS - 1, 0)
    for group in groups:
        count = len(group.names)
        if count > room:
            need = 32 - count.bit_length() - 4
            raise fault(
                document,
                "addressing.loopbacks",
                f"the loopback pool {pool} gives each switch role a block of {room} addresses; "
                f"role {group.role!r} has {count} switches",
                f"use a pool of /{need} or shorter",
            )


def _pairs(document: Document, path: str, pool: IPv4Network, groups: tuple[SwitchGroup, ...]) -> Pairs:
    capacity = pool.num_addresses // 2
    starts = {group.role: rank * (capacity // BLOCKS) for rank, group in enumerate(groups)}
    ends = [*starts.values(), capacity][1:]
    for group, end in zip(groups, ends, strict=True):
        need = len(group.names) * group.stride
        have = end - starts[group.role]
        if need > have:
            raise fault(
                document,
                path,
                f"{path} {pool} has {have} /31s for role {group.role!r}; "
                f"its {len(group.names)} switches need {group.stride} each, {need} in all",
                f"use a pool of /{_long_enough(groups)} or shorter",
            )
    return Pairs(pool, starts)


def _long_enough(groups: tuple[SwitchGroup, ...]) -> int:
    """Return the longest prefix of a pool in which every role has room (counts are bounded, so there is one)."""
    needs = [len(group.names) * group.stride for group in groups]
    return next(length for length in range(31, 0, -1) if _fits(1 << (31 - length), needs))


def _fits(capacity: int, needs: list[int]) -> bool:
    share = capacity // BLOCKS
    return all(need <= share for need in needs[:-1]) and needs[-1] <= capacity - share * (len(needs) - 1)

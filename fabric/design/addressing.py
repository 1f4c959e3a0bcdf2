"""Addressing: where every address comes from, IPv4 and IPv6 alike.

Loopbacks: the pool is cut into 16 blocks, one per switch role in file order; node i (from 0, pods ``stride`` places
apart) has address i + 1 of its block.

Pairs (/31s, /127s) of hosts and links: the pool is cut into 16 blocks as well; the block of a role is its rank among
the roles of its tier, tier 1 beginning with block 0, tier 2 with block 6, tier 3 with block 12, so that a further role
moves no other. Within a block a switch has ``stride`` pairs; the pair of a cable is that of the port of its lower
switch (for hosts: of the leaf): start + i * stride + port - 1. Parts of a port lie further on in the block: the second
half a block, the third and fourth a quarter and three quarters, the others on the odd eighths, so that ports may be
broken out more ways later. The upper end (the leaf, for hosts) has the even address, the lower end the odd one.

Subnets (``hosts: {per: leaf}``): one per leaf, in the same blocks; leaves that bonds join have that of the first of
them. The gateway has the first address, the host on port n of the leaf the n-th after it; with S the ``stride``, hosts
on the next leaf of those lie S further, those on the next part of a port 4 x S.

Given values win; a computed one that meets a given one is refused. A given pair has the smallest prefix in which both
are hosts, in a subnet of a leaf that of the subnet. Removed nodes count as if they were there, so that nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Network, ip_network

from fabric.design.layout import Attachment, Switch, Wire
from fabric.hardware.ports import Spot
from fabric.intent.prefixes import IpAddress, IpNetwork

BLOCKS = 16
MOST_JOINED = 4
_EIGHTHS = (0, 4, 2, 6, 1, 5, 3, 7)
_PARTS = len(_EIGHTHS)
_FAR = 1 << 12


@dataclass(frozen=True, slots=True)
class Pair:
    """The addresses of the two ends of a cable, without length, and the length of their common prefix."""

    lower: str
    upper: str
    length: int

    @property
    def version(self) -> int:
        """4 or 6."""
        return 6 if ":" in self.lower else 4

    @property
    def prefix(self) -> str:
        """The prefix that both ends are in."""
        return str(ip_network(f"{self.upper}/{self.length}", strict=False))


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool in which each role has a block: ``starts`` count pairs (or subnets) of ``length``, by role."""

    network: IpNetwork
    length: int
    starts: Mapping[str, int]
    strides: Mapping[str, int]

    @property
    def capacity(self) -> int:
        """How many pairs or subnets there are."""
        return 1 << max(self.length - self.network.prefixlen, 0)

    @property
    def block(self) -> int:
        """How many of them a role has at least."""
        return self.capacity // BLOCKS

    def further(self, sub: int) -> int:
        """Return how far part ``sub`` (from 0) of a port lies from the first."""
        return self.block // _PARTS * _EIGHTHS[sub]

    def index(self, switch: Switch, spot: Spot) -> int:
        """Return the index of the pair of a port of a switch."""
        stride = self.strides[switch.role]
        if spot.number > stride:
            # Rules report the port; an address of its own keeps them from reporting duplicates of it as well.
            return self.capacity + self.starts[switch.role] + (switch.index * _FAR + spot.number) * _PARTS + spot.sub
        return self.starts[switch.role] + switch.index * stride + spot.number - 1 + self.further(spot.sub)

    def address(self, index: int, offset: int) -> str:
        """Return address ``offset`` of pair or subnet ``index``; beyond the pool where the index is."""
        size = self.network.max_prefixlen - self.length
        number = int(self.network.network_address) + (index << size) + offset
        return str(type(self.network.network_address)(number & ((1 << self.network.max_prefixlen) - 1)))

    def formula(self, switch: Switch, spot: Spot, what: str) -> str:
        """Return in words how `index` comes about; ``what`` is ``/31`` or the like."""
        stride, place = self.strides[switch.role], f"{switch.name}, port {spot.number}"
        if spot.number > stride:
            return f"port {spot.number} is beyond the {stride} {what}s of a switch: an address outside {self.network}"
        part = f" + {self.further(spot.sub)} for part {spot.sub + 1}" if spot.ways > 1 else ""
        return (
            f"{what} number {self.starts[switch.role]} + {switch.index} x {stride} + {spot.number} - 1{part} = "
            f"{self.index(switch, spot)} of {self.network} ({place})"
        )


@dataclass(frozen=True, slots=True)
class Pools:
    """Where every address comes from; ``links`` is empty when links are unnumbered.

    ``vlan`` is that of the subnets of leaves, ``None`` where every NIC has a pair of its own; ``homes`` then says of
    each leaf whose subnet it has, and how many leaves of that come before it. ``steps`` are by role: for how many ports
    of a switch addresses are set aside.
    """

    loopbacks: tuple[IpNetwork, ...]
    hosts: tuple[Pool, ...]
    links: tuple[Pool, ...]
    router_ids: IPv4Network | None
    vlan: int | None
    homes: Mapping[str, tuple[Switch, int]]
    steps: Mapping[str, int]

    def loopback(self, switch: Switch) -> tuple[str, ...]:
        """Return the loopback addresses (without length) of a switch, IPv4 first."""
        given = {address.version: str(address) for address in switch.given.loopback or ()}
        return tuple(given.get(pool.version) or _in_block(pool, switch) for pool in self.loopbacks)

    def router_id(self, switch: Switch) -> str:
        """Return the router id: the IPv4 loopback, else an address of the pool of router ids."""
        first = self.loopback(switch)[0]
        if ":" not in first or self.router_ids is None:
            return first
        return _in_block(self.router_ids, switch)

    def of_wire(self, wire: Wire) -> tuple[Pair, ...]:
        """Return the addresses of a cable between switches, IPv4 first; none where links are unnumbered."""
        given = _given(wire.given)
        open_ = (pool for pool in self.links if pool.network.version not in given)
        return _in_order(given, (_pair(pool, pool.index(wire.lower, wire.lower_spot)) for pool in open_))

    def of_nic(self, row: Attachment) -> tuple[Pair, ...]:
        """Return the addresses of a host's NIC port (or bond, by its first port) and its leaf, IPv4 first."""
        given = _given(row.given)
        open_ = (pool for pool in self.hosts if pool.network.version not in given)
        if self.vlan is None:
            return _in_order(given, (_pair(pool, pool.index(row.leaf, row.spot)) for pool in open_))
        lengths: Mapping[int, int] = {pool.network.version: pool.length for pool in self.hosts}
        given = {version: replace(pair, length=lengths[version]) for version, pair in given.items()}
        return _in_order(given, (self._in_subnet(pool, row) for pool in open_))

    def subnet(self, pool: Pool, leaf: Switch) -> IpNetwork:
        """Return the subnet of a leaf, or of the leaves that bonds join with it."""
        return ip_network(f"{pool.address(self._home(pool, leaf), 0)}/{pool.length}")

    def offset(self, row: Attachment) -> int:
        """Return which address of its subnet a host has."""
        _, before = self.homes[row.leaf.name]
        return 1 + row.spot.number + (row.spot.sub * MOST_JOINED + before) * self.steps[row.leaf.role]

    def _in_subnet(self, pool: Pool, row: Attachment) -> Pair:
        """Return the address of a host in the subnet of its leaf, and the gateway."""
        index = self._home(pool, row.leaf)
        return Pair(pool.address(index, self.offset(row)), pool.address(index, 1), pool.length)

    def _home(self, pool: Pool, leaf: Switch) -> int:
        home, _ = self.homes[leaf.name]
        return pool.starts[home.role] + home.index


def _in_block(pool: IpNetwork, switch: Switch) -> str:
    number = int(pool.network_address) + switch.number * (pool.num_addresses // BLOCKS) + switch.index + 1
    return str(type(pool.network_address)(number))


def _pair(pool: Pool, index: int) -> Pair:
    return Pair(pool.address(index, 1), pool.address(index, 0), pool.length)


def _given(pairs: Sequence[tuple[IpAddress, IpAddress]]) -> Mapping[int, Pair]:
    """Return given pairs by family."""
    return {lower.version: Pair(str(lower), str(upper), length_of(lower, upper)) for lower, upper in pairs}


def length_of(lower: IpAddress, upper: IpAddress) -> int:
    """Return the length of the smallest prefix in which two addresses of one family are hosts; 0 for all of them."""
    apart = int(lower) ^ int(upper)
    bits = apart if apart == 1 else max(apart.bit_length(), 2)
    while bits > 1 and bits < lower.max_prefixlen and not (_is_host(lower, bits) and _is_host(upper, bits)):
        bits += 1
    return lower.max_prefixlen - bits


def _is_host(address: IpAddress, bits: int) -> bool:
    """Tell whether an address is that of a host in a prefix with so many bits for hosts: IPv6 has no broadcast."""
    number, last = int(address) % (1 << bits), (1 << bits) - 1
    return number != 0 and (number != last or address.version == 6)


def _in_order(given: Mapping[int, Pair], computed: Iterable[Pair]) -> tuple[Pair, ...]:
    if not given:
        return tuple(computed)
    return tuple(sorted((*given.values(), *computed), key=lambda pair: pair.version))


def stride_of_model(ports: int) -> int:
    """Return how many pairs are set aside for a switch: its ports, rounded up to a power of two."""
    return 1 << (ports - 1).bit_length()

"""Addressing: where every address comes from, IPv4 and IPv6 alike.

Loopbacks: the pool is cut into 16 blocks, one per switch role in file order; node i (from 0, pods ``stride`` places
apart) has address i + 1 of its block.

Pairs (/31s, /127s) of hosts and links: the pool is cut into 16 blocks as well; the block of a role is its rank among
the roles of its tier, tier 1 beginning with block 0, tier 2 with block 6, tier 3 with block 12, so that a further role
moves no other. Within a block a switch has ``stride`` pairs; the pair of a cable is that of the port of its lower
switch (for hosts: of the leaf): start + i * stride + port - 1, and part s of a broken-out port lies s banks further, a
bank being an eighth of a block. The upper end (the leaf, for hosts) has the even address, the lower end the odd one.

Subnets (``hosts: {per: leaf}``): one per leaf, in the same blocks; the gateway has the first address, the host on port
n the address n + 1 after it, parts of ports one ``stride`` further each.

Given values win; a computed one that meets a given one is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_address, ip_network

from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Layout, Switch, Wire
from fabric.hardware.lookup import switch as model_of
from fabric.hardware.ports import Spot
from fabric.intent.document import Document
from fabric.intent.prefixes import IpNetwork
from fabric.intent.sections.addressing import HostPools

BLOCKS = 16
BANKS = 8
_FIRST_BLOCK = {1: 0, 2: 6, 3: 12, 4: 15}
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
    def bank(self) -> int:
        """How far the parts of a port lie apart."""
        return self.capacity // (BLOCKS * BANKS)

    def index(self, switch: Switch, spot: Spot) -> int:
        """Return the index of the pair of a port of a switch."""
        stride = self.strides[switch.role]
        if spot.number > stride:
            # Rules report the port; an address of its own keeps them from reporting duplicates of it as well.
            return self.capacity + switch.index * _FAR + spot.number
        return self.starts[switch.role] + switch.index * stride + spot.number - 1 + spot.sub * self.bank

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
        part = f" + {spot.sub} x {self.bank}" if spot.ways > 1 else ""
        return (
            f"{what} number {self.starts[switch.role]} + {switch.index} x {stride} + {spot.number} - 1{part} = "
            f"{self.index(switch, spot)} of {self.network} ({place})"
        )


@dataclass(frozen=True, slots=True)
class Pools:
    """Where every address comes from; ``links`` is empty when links are unnumbered.

    ``vlan`` is that of the subnets of leaves, ``None`` where every NIC has a pair of its own.
    """

    loopbacks: tuple[IpNetwork, ...]
    hosts: tuple[Pool, ...]
    links: tuple[Pool, ...]
    router_ids: IPv4Network | None
    vlan: int | None

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
        if wire.given is not None:
            lower, upper = wire.given
            return (_given(str(lower), str(upper)),)
        return tuple(_pair(pool, pool.index(wire.lower, wire.lower_spot)) for pool in self.links)

    def of_nic(self, row: Attachment) -> tuple[Pair, ...]:
        """Return the addresses of a host's NIC port (or bond, by its first port) and its leaf, IPv4 first."""
        if row.given is not None:
            host, leaf = row.given
            return (_given(str(host), str(leaf)),)
        if self.vlan is None:
            return tuple(_pair(pool, pool.index(row.leaf, row.spot)) for pool in self.hosts)
        return tuple(_in_subnet(pool, row) for pool in self.hosts)


def pools(document: Document, layout: Layout) -> Pools:
    """Return where every address comes from; DesignError when a pool or a block of it is too small."""
    addressing = document.intent.addressing
    faults = Gathered()
    with faults:
        _check_loopbacks(document, layout.switches)
    leaves = [switch for switch in layout.switches if switch.name in layout.attached]
    parts = {row.leaf.role for rows in layout.attached.values() for row in rows if row.spot.ways > 1}
    form = addressing.hosts if isinstance(addressing.hosts, HostPools) else None
    prefixes = addressing.hosts.prefix if isinstance(addressing.hosts, HostPools) else addressing.hosts
    lengths = _lengths(form, len(prefixes)) if form is not None else ()
    vlan = form.vlan if form is not None and form.per == "leaf" else None
    hosts: list[Pool] = []
    links: list[Pool] = []
    for number, network in enumerate(prefixes):
        with faults:
            length = lengths[number] if lengths else network.max_prefixlen - 1
            need = _Need("addressing.hosts", network, length, per_switch=vlan is None)
            hosts.append(_pool(document, need, leaves, parts))
    if addressing.links != "unnumbered":
        lower = [switch for switch in layout.switches if switch.name in layout.uplinks]
        parts = {wire.lower.role for wires in layout.uplinks.values() for wire in wires if wire.lower_spot.ways > 1}
        for network in addressing.links:
            with faults:
                need = _Need("addressing.links", network, network.max_prefixlen - 1, per_switch=True)
                links.append(_pool(document, need, lower, parts))
    faults.end()
    return Pools(addressing.loopbacks, tuple(hosts), tuple(links), addressing.router_ids, vlan)


def _lengths(form: HostPools, count: int) -> tuple[int, ...]:
    return form.length if len(form.length) == count else form.length * count


def _in_block(pool: IpNetwork, switch: Switch) -> str:
    number = int(pool.network_address) + switch.number * (pool.num_addresses // BLOCKS) + switch.index + 1
    return str(type(pool.network_address)(number))


def _pair(pool: Pool, index: int) -> Pair:
    return Pair(pool.address(index, 1), pool.address(index, 0), pool.length)


def _in_subnet(pool: Pool, row: Attachment) -> Pair:
    """Return the address of a host in the subnet of its leaf, and the gateway."""
    index = pool.starts[row.leaf.role] + row.leaf.index
    offset = 1 + row.spot.number + row.spot.sub * stride_of_model(row.leaf.model.ports)
    return Pair(pool.address(index, offset), pool.address(index, 1), pool.length)


def _given(lower: str, upper: str) -> Pair:
    """Return the pair of two given addresses; its length is that of the smallest prefix that both are hosts of."""
    one, other = int(ip_address(lower)), int(ip_address(upper))
    width = 128 if ":" in lower else 32
    return Pair(lower, upper, width - 1 if one ^ other == 1 else width - max((one ^ other).bit_length(), 2))


def stride_of_model(ports: int) -> int:
    """Return how many pairs are set aside for a switch: its ports, rounded up to a power of two."""
    return 1 << (ports - 1).bit_length()


@dataclass(frozen=True, slots=True)
class _Need:
    """What is to be cut out of a pool: pairs of ports of each switch, or one subnet for each switch."""

    path: str
    network: IpNetwork
    length: int
    per_switch: bool


def _pool(document: Document, need: _Need, switches: Sequence[Switch], parts: set[str]) -> Pool:
    """Return a pool with a block for each role; ``parts`` are roles whose ports are broken out."""
    roles = {switch.role: switch for switch in switches}
    wanted = document.intent.addressing.stride
    strides = {
        role: (wanted or stride_of_model(model_of(switch.intent.model).ports)) if need.per_switch else 1
        for role, switch in roles.items()
    }
    pool = Pool(need.network, need.length, {}, strides)
    starts = {role: block * (pool.capacity // BLOCKS) for role, block in _blocks(document, roles.values())}
    ends = [*sorted(starts.values())[1:], pool.capacity]
    counts = {role: 1 + max(each.index for each in switches if each.role == role) for role in roles}
    for (role, start), end in zip(sorted(starts.items(), key=lambda item: item[1]), ends, strict=True):
        room = pool.bank if role in parts and need.per_switch else end - start
        if counts[role] * strides[role] > room:
            raise _too_small(document, need, role, (counts[role], strides[role], room))
    return Pool(need.network, need.length, starts, strides)


def _blocks(document: Document, roles: Iterable[Switch]) -> Iterator[tuple[str, int]]:
    """Yield each role with the number of its block."""
    ranks: dict[int, int] = {}
    for switch in sorted(roles, key=lambda each: (each.tier, each.number)):
        rank = ranks[switch.tier] = ranks.get(switch.tier, -1) + 1
        first = _FIRST_BLOCK.get(switch.tier, BLOCKS)
        if first + rank >= _FIRST_BLOCK.get(switch.tier + 1, BLOCKS):
            raise fault(
                document,
                f"topology.switches.{switch.role}",
                f"role {switch.role!r} is number {rank + 1} of tier {switch.tier}; pools have blocks for {rank}",
                "join roles of one tier",
            )
        yield switch.role, first + rank


def _too_small(document: Document, need: _Need, role: str, sizes: tuple[int, int, int]) -> Exception:
    count, stride, room = sizes
    what = f"/{need.length}"
    short = (count * stride - 1).bit_length() - max(room.bit_length() - 1, 0)
    shorter = need.network.prefixlen - max(short, 1)
    each = f"its {count} places need {stride} each, {count * stride} in all" if need.per_switch else f"it needs {count}"
    return fault(
        document,
        need.path,
        f"{need.path} {need.network} has {room} {what}s for role {role!r}; {each}",
        f"use a pool of /{shorter} or shorter" if shorter > 0 else "use several fabrics, or IPv6",
    )


def _check_loopbacks(document: Document, switches: Sequence[Switch]) -> None:
    """Refuse pools whose blocks are too small for a role."""
    roles = document.intent.topology.switches
    counts: dict[str, int] = {}
    for switch in switches:
        counts[switch.role] = max(counts.get(switch.role, 0), switch.index + 1)
    routers = document.intent.addressing.router_ids
    for path, pool in [
        *(("addressing.loopbacks", pool) for pool in document.intent.addressing.loopbacks),
        *((("addressing.router_ids", routers),) if routers is not None else ()),
    ]:
        if len(roles) > BLOCKS:
            raise fault(
                document,
                "topology.switches",
                f"{len(roles)} switch roles, and the loopback pool {pool} has {BLOCKS} blocks",
                f"use at most {BLOCKS} switch roles",
            )
        room = max(pool.num_addresses // BLOCKS - 1, 0)
        for role, count in counts.items():
            if count > room:
                raise fault(
                    document,
                    path,
                    f"the loopback pool {pool} gives each switch role a block of {room} addresses; "
                    f"role {role!r} has {count} switches",
                    f"use a pool of /{pool.max_prefixlen - count.bit_length() - 4} or shorter",
                )

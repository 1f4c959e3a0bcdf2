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
them. The gateway has the first address, the host on port n of the leaf the n-th after it; with S the ports of a switch,
rounded up to a power of two, hosts on the next leaf of those lie S further, those on the next part of a port 4 x S.

Given values win; a computed one that meets a given one is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_network

from fabric.design.bonds import ways_out
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Layout, Switch, Wire
from fabric.hardware.lookup import switch as model_of
from fabric.hardware.ports import Spot
from fabric.intent.document import Document
from fabric.intent.prefixes import IpAddress, IpNetwork
from fabric.intent.sections.addressing import Addressing, HostPools

BLOCKS = 16
_FIRST_BLOCK = {1: 0, 2: 6, 3: 12, 4: 15}
_EIGHTHS = (0, 4, 2, 6, 1, 5, 3, 7)
_FAR = 1 << 12
_MOST_JOINED = 4


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
        return self.block // len(_EIGHTHS) * _EIGHTHS[sub]

    def index(self, switch: Switch, spot: Spot) -> int:
        """Return the index of the pair of a port of a switch."""
        stride = self.strides[switch.role]
        if spot.number > stride:
            # Rules report the port; an address of its own keeps them from reporting duplicates of it as well.
            return self.capacity + switch.index * _FAR + spot.number
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
    each leaf whose subnet it has, and how many leaves of that come before it.
    """

    loopbacks: tuple[IpNetwork, ...]
    hosts: tuple[Pool, ...]
    links: tuple[Pool, ...]
    router_ids: IPv4Network | None
    vlan: int | None
    homes: Mapping[str, tuple[Switch, int]]

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
        return _in_order(given, (_in_subnet(pool, row, *self.homes[row.leaf.name]) for pool in open_))


def pools(document: Document, layout: Layout) -> Pools:
    """Return where every address comes from; DesignError when a pool or a block is too small for what is computed.

    A pool of which every address is given may be of any size: it says only which addresses are ours.
    """
    addressing = document.intent.addressing
    form = addressing.hosts if isinstance(addressing.hosts, HostPools) else None
    vlan = form.vlan if form is not None and form.per == "leaf" else None
    faults = Gathered()
    with faults:
        _check_loopbacks(document, layout.switches)
    hosts = [_pool(document, need, _edge_ports(layout), faults) for need in _host_needs(addressing)]
    links = [_pool(document, need, _link_ports(layout), faults) for need in _link_needs(addressing)]
    faults.end()
    homes = {} if vlan is None else _homes(layout)
    found = Pools(addressing.loopbacks, tuple(hosts), tuple(links), addressing.router_ids, vlan, homes)
    if vlan is not None:
        _check_subnets(document, layout, found)
    return found


def _host_needs(addressing: Addressing) -> Iterator[_Need]:
    hosts = addressing.hosts
    if not isinstance(hosts, HostPools):
        hosts = HostPools.model_construct(prefix=hosts, per="nic", length=(31, 127))
    for number, network in enumerate(hosts.prefix):
        length = network.max_prefixlen - 1 if hosts.per == "nic" else hosts.length[min(number, len(hosts.length) - 1)]
        yield _Need("addressing.hosts", network, length, per_switch=hosts.per == "nic")


def _link_needs(addressing: Addressing) -> Iterator[_Need]:
    if addressing.links != "unnumbered":
        for network in addressing.links:
            yield _Need("addressing.links", network, network.max_prefixlen - 1, per_switch=True)


def _families(given: Sequence[tuple[IpAddress, IpAddress]]) -> frozenset[int]:
    return frozenset(lower.version for lower, _ in given)


def _edge_ports(layout: Layout) -> Iterator[_Use]:
    for rows in layout.attached.values():
        yield from (_Use(row.leaf, row.spot, given=_families(row.given)) for row in rows)


def _link_ports(layout: Layout) -> Iterator[_Use]:
    for wires in layout.uplinks.values():
        yield from (_Use(wire.lower, wire.lower_spot, given=_families(wire.given)) for wire in wires)


def _in_block(pool: IpNetwork, switch: Switch) -> str:
    number = int(pool.network_address) + switch.number * (pool.num_addresses // BLOCKS) + switch.index + 1
    return str(type(pool.network_address)(number))


def _pair(pool: Pool, index: int) -> Pair:
    return Pair(pool.address(index, 1), pool.address(index, 0), pool.length)


def _in_subnet(pool: Pool, row: Attachment, home: Switch, before: int) -> Pair:
    """Return the address of a host in the subnet of its leaf, and the gateway."""
    index = pool.starts[home.role] + home.index
    return Pair(pool.address(index, _offset(row, before)), pool.address(index, 1), pool.length)


def _offset(row: Attachment, before: int) -> int:
    """Return which address of its subnet a host has."""
    stride = stride_of_model(row.leaf.model.ports)
    return 1 + row.spot.number + (row.spot.sub * _MOST_JOINED + before) * stride


def _homes(layout: Layout) -> Mapping[str, tuple[Switch, int]]:
    """Return per leaf whose subnet it has: of leaves that bonds join, the first one's."""
    joined: dict[str, list[Switch]] = {}
    for rows in layout.attached.values():
        joined.setdefault(rows[0].leaf.name, [rows[0].leaf])
    for rows in (together for nics in layout.nics.values() for together in ways_out(nics)):
        groups = [joined[name] for name in dict.fromkeys(row.leaf.name for row in rows)]
        if any(group is not groups[0] for group in groups):
            one = sorted({leaf.name: leaf for group in groups for leaf in group}.values(), key=lambda leaf: leaf.index)
            joined |= dict.fromkeys((leaf.name for leaf in one), one)
    return {name: (group[0], [leaf.name for leaf in group].index(name)) for name, group in joined.items()}


def _check_subnets(document: Document, layout: Layout, where: Pools) -> None:
    """Refuse subnets in which a host has no address, and leaves that bonds join beyond what one subnet holds."""
    crowd = next((home for home, before in where.homes.values() if before >= _MOST_JOINED), None)
    if crowd is not None:
        raise fault(
            document,
            "addressing.hosts",
            f"bonds join {crowd.name} and more than {_MOST_JOINED - 1} further leaves into one subnet",
            f"let the bonds of all hosts lead to the same {_MOST_JOINED} leaves at most",
        )
    firsts = [together[0] for nics in layout.nics.values() for together in ways_out(nics)]
    for last in sorted(firsts, key=lambda row: _offset(row, where.homes[row.leaf.name][1]))[-1:]:
        _check_subnet(document, where, last)


def _check_subnet(document: Document, where: Pools, last: Attachment) -> None:
    need = _offset(last, where.homes[last.leaf.name][1])
    for pool in where.hosts:
        size = 1 << (pool.network.max_prefixlen - pool.length)
        if need > size - 2:
            raise fault(
                document,
                "addressing.hosts.length",
                f"a /{pool.length} of {pool.network} has {size - 2} addresses for hosts and gateway; "
                f"{last.host.name} on {last.leaf.name}:{last.leaf_port} would have number {need}",
                f"write length: {pool.network.max_prefixlen - (need + 1).bit_length()}, or a shorter one",
            )


def _given(pairs: Sequence[tuple[IpAddress, IpAddress]]) -> Mapping[int, Pair]:
    """Return given pairs by family; their length is that of the smallest prefix that both ends are hosts of."""
    found: dict[int, Pair] = {}
    for lower, upper in pairs:
        apart = int(lower) ^ int(upper)
        length = lower.max_prefixlen - (1 if apart == 1 else max(apart.bit_length(), 2))
        found[lower.version] = Pair(str(lower), str(upper), length)
    return found


def _in_order(given: Mapping[int, Pair], computed: Iterable[Pair]) -> tuple[Pair, ...]:
    if not given:
        return tuple(computed)
    return tuple(sorted((*given.values(), *computed), key=lambda pair: pair.version))


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


@dataclass(frozen=True, slots=True)
class _Use:
    """A port whose cable has addresses; ``given`` are the families of which they are given and not computed."""

    switch: Switch
    spot: Spot
    given: frozenset[int]


def _pool(document: Document, need: _Need, uses: Iterable[_Use], faults: Gathered) -> Pool:
    """Return a pool with a block for each role that uses it; a block too small for what is computed is a fault."""
    roles: dict[str, Switch] = {}
    places: dict[str, int] = {}
    ways: dict[str, int] = {}
    for use in uses:
        role = use.switch.role
        roles.setdefault(role, use.switch)
        if need.network.version not in use.given:
            places[role] = max(places.get(role, 0), use.switch.index + 1)
            ways[role] = max(ways.get(role, 1), use.spot.ways)
    wanted = document.intent.addressing.stride
    strides = {
        role: (wanted or stride_of_model(model_of(switch.intent.model).ports)) if need.per_switch else 1
        for role, switch in roles.items()
    }
    pool = Pool(need.network, need.length, {}, strides)
    starts: dict[str, int] = {}
    with faults:
        starts = {role: block * pool.block for role, block in _blocks(document, roles.values())}
    ends = [*sorted(starts.values())[1:], pool.capacity]
    for (role, start), end in zip(sorted(starts.items(), key=lambda item: item[1]), ends, strict=False):
        room = pool.block // ways[role] if ways.get(role, 1) > 1 and need.per_switch else end - start
        with faults:
            if places.get(role, 0) * strides[role] > room:
                raise _too_small(document, need, role, (places[role], strides[role], room))
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
        if len(switch.given.loopback or ()) < len(document.intent.addressing.loopbacks):
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

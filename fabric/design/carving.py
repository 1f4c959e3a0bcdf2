"""Carving: pools cut into blocks of switch roles, and refused where what is computed does not fit.

A pool of which every address is given may be of any size: it says only which addresses are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from fabric.design.addressing import BLOCKS, Pool, Pools, stride_of_model
from fabric.design.bonds import ways_out
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Layout, Switch, stride_of
from fabric.design.overrides import path_of
from fabric.errors import DesignError
from fabric.hardware.lookup import switch as model_of
from fabric.hardware.ports import Spot
from fabric.intent.document import Document
from fabric.intent.prefixes import IpAddress, IpNetwork
from fabric.intent.sections.addressing import Addressing, HostPools

_LINKS = "addressing.links"
_FIRST_BLOCK = {1: 0, 2: 6, 3: 12, 4: 15}


def pools(document: Document, layout: Layout) -> Pools:
    """Return where every address comes from; DesignError when a pool or a block is too small for what is computed."""
    addressing = document.intent.addressing
    form = addressing.hosts if isinstance(addressing.hosts, HostPools) else None
    vlan = form.vlan if form is not None and form.per == "leaf" else None
    faults = Gathered()
    with faults:
        _check_loopbacks(document, layout.switches)
    hosts = [_pool(document, layout, need, faults) for need in _host_needs(addressing)]
    links = [_pool(document, layout, need, faults) for need in _link_needs(addressing)]
    faults.end()
    homes = {} if vlan is None else _homes(layout)
    found = Pools(
        addressing.loopbacks, tuple(hosts), tuple(links), addressing.router_ids, vlan, homes, _steps(document)
    )
    if vlan is not None:
        _check_subnets(document, layout, found)
    return found


@dataclass(frozen=True, slots=True)
class _Need:
    """What is to be cut out of a pool: pairs of ports of each switch, or one subnet for each switch."""

    path: str
    network: IpNetwork
    length: int
    per_switch: bool

    def uses(self, layout: Layout) -> Iterator[_Use]:
        """Yield the ports that have addresses of the pool."""
        return _link_ports(layout) if self.path == _LINKS else _edge_ports(layout)


@dataclass(frozen=True, slots=True)
class _Use:
    """A port whose cable has addresses; ``given`` are the families of which they are given and not computed."""

    switch: Switch
    spot: Spot
    given: frozenset[int]


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
            yield _Need(_LINKS, network, network.max_prefixlen - 1, per_switch=True)


def _families(given: Sequence[tuple[IpAddress, IpAddress]]) -> frozenset[int]:
    return frozenset(lower.version for lower, _ in given)


def _edge_ports(layout: Layout) -> Iterator[_Use]:
    for rows in layout.laid.values():
        yield from (_Use(row.leaf, row.spot, given=_families(row.given)) for row in rows)


def _link_ports(layout: Layout) -> Iterator[_Use]:
    for wires in layout.uplinks.values():
        yield from (_Use(wire.lower, wire.lower_spot, given=_families(wire.given)) for wire in wires)


def _pool(document: Document, layout: Layout, need: _Need, faults: Gathered) -> Pool:
    """Return a pool with a block for each role; what does not fit into a block is a fault."""
    uses = tuple(need.uses(layout))
    computed = [use for use in uses if need.network.version not in use.given]
    steps = _steps(document)
    strides = steps if need.per_switch else dict.fromkeys(steps, 1)
    pool = Pool(need.network, need.length, {}, strides)
    used = {use.switch.role for use in uses}
    starts: dict[str, int] = {}
    with faults:
        starts = {role: block * pool.block for role, block in _blocks(document, layout, used)}
    begins = sorted((start, role) for role, start in starts.items() if role in used)
    ends = [*(start for start, _ in begins), pool.capacity][1:]
    places, ways = _most(computed, lambda use: use.switch.index + 1), _most(computed, lambda use: use.spot.ways)
    for (start, role), end in zip(begins, ends, strict=True):
        room = pool.block // ways[role] if ways.get(role, 1) > 1 and need.per_switch else end - start
        with faults:
            if places.get(role, 0) * strides[role] > room:
                raise _too_small(document, need, role, (places[role], strides[role], room))
    _check_strides(document, computed, steps, faults)
    return Pool(need.network, need.length, starts, strides)


def _steps(document: Document) -> Mapping[str, int]:
    """Return for how many ports of the switches of each role addresses are set aside."""
    wanted, roles = document.intent.addressing.stride, document.intent.topology.switches
    return {role: wanted or stride_of_model(model_of(intent.model).ports) for role, intent in roles.items()}


def _most(uses: Iterable[_Use], count: Callable[[_Use], int]) -> Mapping[str, int]:
    """Return the largest count of each role."""
    found: dict[str, int] = {}
    for use in uses:
        found[use.switch.role] = max(found.get(use.switch.role, 0), count(use))
    return found


def _blocks(document: Document, layout: Layout, used: AbstractSet[str]) -> Iterator[tuple[str, int]]:
    """Yield each role with the number of its block, by its rank among all roles of its tier, in use or not.

    DesignError for a role in use that there is no block for.
    """
    ranks: dict[int, int] = {}
    for role in document.intent.topology.switches:
        tier = layout.tiers[role]
        rank = ranks[tier] = ranks.get(tier, -1) + 1
        block = _FIRST_BLOCK.get(tier, BLOCKS) + rank
        if block < _FIRST_BLOCK.get(tier + 1, BLOCKS):
            yield role, block
        elif role in used:
            raise fault(
                document,
                f"topology.switches.{role}",
                f"role {role!r} is number {rank + 1} of tier {tier}; pools have blocks for {rank}",
                "join roles of one tier",
            )


def _check_strides(document: Document, uses: Iterable[_Use], steps: Mapping[str, int], faults: Gathered) -> None:
    """Refuse switches that use ports which no addresses are set aside for; those they do not have are left to rules.

    Said once for each role and model.
    """
    wrong: dict[tuple[str, str], _Use] = {}
    for use in uses:
        if steps[use.switch.role] < use.spot.number <= use.switch.model.ports:
            wrong.setdefault((use.switch.role, use.switch.model.name), use)
    for use in wrong.values():
        switch, spot = use.switch, use.spot
        with faults:
            raise fault(
                document,
                "addressing.stride" if document.intent.addressing.stride else path_of(document, switch, "model"),
                f"addresses for {steps[switch.role]} ports are set aside for each {switch.role}, and {switch.name} "
                f"uses port {spot.number} of its {switch.model.ports}",
                f"write addressing.stride: {stride_of_model(switch.model.ports)}, which other switches' addresses "
                "follow: choose it before they are in use",
            )


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


def _homes(layout: Layout) -> Mapping[str, tuple[Switch, int]]:
    """Return per leaf whose subnet it has: of leaves that bonds join, the first one's."""
    joined = {row.leaf.name: [row.leaf] for nics in layout.laid.values() for row in nics}
    for rows in (together for nics in layout.laid.values() for together in ways_out(nics)):
        groups = [joined[name] for name in dict.fromkeys(row.leaf.name for row in rows)]
        if any(group is not groups[0] for group in groups):
            one = sorted({leaf.name: leaf for group in groups for leaf in group}.values(), key=lambda leaf: leaf.index)
            joined |= dict.fromkeys((leaf.name for leaf in one), one)
    return {name: (group[0], [leaf.name for leaf in group].index(name)) for name, group in joined.items()}


def _check_subnets(document: Document, layout: Layout, where: Pools) -> None:
    """Refuse subnets in which a host has no address, and hosts that are not on all leaves of their subnet."""
    ways = [together for nics in layout.laid.values() for together in ways_out(nics)]
    _check_reached(document, where, ways)
    firsts = [together[0] for together in ways]
    for last in sorted(firsts, key=where.offset)[-1:]:
        _check_subnet(document, where, last)


def _check_reached(document: Document, where: Pools, ways: Iterable[Sequence[Attachment]]) -> None:
    """Refuse hosts that some leaf of their subnet has no cable to: what it takes for them would be lost.

    Said once for each entry of ``topology.cables``.
    """
    joined: dict[str, set[str]] = {}
    for leaf, (home, _) in where.homes.items():
        joined.setdefault(home.name, set()).add(leaf)
    wrong: dict[int, tuple[Attachment, str]] = {}
    for together in ways:
        first = together[0]
        missing = joined[where.homes[first.leaf.name][0].name] - {row.leaf.name for row in together}
        if missing:
            wrong.setdefault(first.laid.entry, (first, min(missing)))
    faults = Gathered()
    for entry, (row, other) in wrong.items():
        with faults:
            raise fault(
                document,
                row.laid.line or f"topology.cables.{entry}",
                f"bonds join {row.leaf.name} and {other} into one subnet, and {row.host.name} is cabled to "
                f"{row.leaf.name} but not to {other}, which would lose packets for it",
                "give hosts without such a bond leaves of their own, or address hosts per nic",
            )
    faults.end()


def _check_subnet(document: Document, where: Pools, last: Attachment) -> None:
    need = where.offset(last)
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


def _check_loopbacks(document: Document, switches: Sequence[Switch]) -> None:
    """Refuse given loopbacks of families that the fabric has not, and pools whose blocks are too small for a role."""
    addressing, faults = document.intent.addressing, Gathered()
    families = {pool.version for pool in addressing.loopbacks}
    for switch in switches:
        for address in switch.given.loopback or ():
            with faults:
                if address.version not in families:
                    raise _no_family(document, path_of(document, switch, "loopback"), str(address), "loopbacks")
    pools = [("addressing.loopbacks", pool) for pool in addressing.loopbacks]
    if addressing.router_ids is not None:
        pools.append(("addressing.router_ids", addressing.router_ids))
    for path, pool in pools:
        given = path == "addressing.loopbacks"
        open_ = [switch for switch in switches if not (given and _has(switch, pool.version))]
        with faults:
            _check_room(document, (path, pool), open_)
    faults.end()


def _has(switch: Switch, version: int) -> bool:
    return any(address.version == version for address in switch.given.loopback or ())


def _check_room(document: Document, pool: tuple[str, IpNetwork], switches: Sequence[Switch]) -> None:
    """Refuse a pool of single addresses (and its path) that has not one for each switch."""
    path, network = pool
    roles = document.intent.topology.switches
    if len(roles) > BLOCKS:
        raise fault(
            document,
            "topology.switches",
            f"{len(roles)} switch roles, and {path} {network} has {BLOCKS} blocks",
            f"use at most {BLOCKS} switch roles",
        )
    room = max(network.num_addresses // BLOCKS - 1, 0)
    places: dict[str, int] = {}
    for switch in switches:
        places[switch.role] = max(places.get(switch.role, 0), switch.index + 1)
    for role, count in places.items():
        if count > room:
            pods = f", pods being {stride_of(roles[role])} places apart" if roles[role].per else ""
            raise fault(
                document,
                path,
                f"{path} {network} gives each switch role a block of {room} addresses; "
                f"role {role!r} needs {count}{pods}",
                f"use a pool of /{network.max_prefixlen - count.bit_length() - 4} or shorter",
            )


def _no_family(document: Document, path: str, address: str, pool: str) -> DesignError:
    family, other = ("IPv6", "IPv4") if ":" in address else ("IPv4", "IPv6")
    return fault(
        document,
        path,
        f"{path}: {address} is {family}, and addressing.{pool} is {other} only",
        f"give an {other} address, or add an {family} pool to addressing.{pool}",
    )

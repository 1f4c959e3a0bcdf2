"""Settings of a host: a way out per rail, with its address, its routes, and the rule that makes it answer by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabric.design.bonds import bonded, host_bond, ways_out
from fabric.design.model import Rail
from fabric.design.ports import links
from fabric.design.switches import LINUX_LIKE
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bonds import Bond, Bonds
from fabric.settings.dcqcn import Dcqcn
from fabric.settings.facet import Facet, Settings
from fabric.settings.links import Links, Port
from fabric.settings.maps import Maps
from fabric.settings.nic import Nic
from fabric.settings.pfc import Pfc
from fabric.settings.policy import Lookup, Policy
from fabric.settings.queues import Queues
from fabric.settings.routes import NextHop, Route, Routes
from fabric.settings.sysctl import Parameter, Sysctl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment, Host

TABLE = 100
PREFERENCE = 1000

_SYSCTL = {
    "net.ipv4.conf.all.arp_ignore": "1",
    "net.ipv4.conf.all.arp_announce": "2",
    "net.ipv4.conf.all.rp_filter": "2",
}
_PARAMETERS = {key: Parameter(value) for key, value in _SYSCTL.items()}
_PER_PORT6 = {"accept_ra": Parameter("0"), "keep_addr_on_down": Parameter("1")}
_HASH6 = {"net.ipv6.fib_multipath_hash_policy": Parameter("1")}
_ADDRESS = Address()


def host_rails(blueprint: Blueprint, host: Host) -> tuple[Rail, ...]:
    """Return the ways out of one host in order of its NICs."""
    return tuple(_rail(blueprint, rows) for rows in ways_out(blueprint.layout.nics.get(host.name, ())))


def _rail(blueprint: Blueprint, rows: tuple[Attachment, ...]) -> Rail:
    first, pairs = rows[0], blueprint.edges[rows[0]]
    return Rail(
        node=first.host.name,
        port=host_bond(first) if bonded(first) else first.port,
        rail=first.nic + 1,
        address=pairs[0].lower,
        gateway=pairs[0].upper,
        leaf=first.leaf.name,
        leg=first.leg + 1,
        addresses=tuple(f"{pair.lower}/{pair.length}" for pair in pairs),
        gateways=tuple(pair.upper for pair in pairs),
        leaves=tuple(dict.fromkeys(row.leaf.name for row in rows)),
        role=first.cards.role,
    )


def host_settings(blueprint: Blueprint, host: Host, rails: tuple[Rail, ...]) -> Settings:
    """Return the settings of a host with these ways out."""
    nics = blueprint.layout.nics.get(host.name, ())
    mtu = blueprint.document.intent.addressing.mtu
    rows = links(mtu, {row.port: row.laid for row in nics}, host.given.ports)
    bonds: dict[str, Bond] = {}
    for together in ways_out(nics):
        if bonded(together[0]):
            bonds[host_bond(together[0])] = Bond(tuple(row.port for row in together))
            rows[host_bond(together[0])] = Port(mtu=mtu, enabled=True)
    facets: list[Facet[Any]] = [
        Links(rows),
        Addresses({f"{rail.port} {address}": _ADDRESS for rail in rails for address in rail.addresses}),
        Routes(_routes(blueprint, rails)),
        Policy(dict(_policy(rails))),
        *_quality(blueprint, nics),
    ]
    if bonds:
        facets.append(Bonds(bonds))
    if host.system in LINUX_LIKE:
        facets.append(Sysctl(_sysctl(blueprint, rails)))
    return Settings(*facets)


def _quality(blueprint: Blueprint, nics: tuple[Attachment, ...]) -> list[Facet[Any]]:
    """Return the facets of classes on the NIC ports, each as its own host role has it."""
    shared = blueprint.quality
    ports = {row.port: shared.on(row.laid.speed, row.cards.role) for row in nics}
    facets: list[Facet[Any]] = [
        Maps({port: found.maps for port, found in ports.items()}),
        Queues({port: found.queues for port, found in ports.items()}),
        Pfc({port: found.pfc for port, found in ports.items()}),
    ]
    settings = {row.port: shared.nic(row.cards.nic.driver, row.cards.role) for row in nics}
    parameters = {row.port: shared.dcqcn(row.cards.nic.driver) for row in nics}
    if any(found is not None for found in settings.values()):
        facets.append(Nic({port: found for port, found in settings.items() if found is not None}))
    if any(found is not None for found in parameters.values()):
        facets.append(Dcqcn({port: found for port, found in parameters.items() if found is not None}))
    return facets


def _policy(rails: tuple[Rail, ...]) -> Iterator[tuple[str, Lookup]]:
    for number, rail in enumerate(rails, 1):
        for address in rail.addresses:
            yield f"from {address.partition('/')[0]}", Lookup(TABLE + number, PREFERENCE + number)


def _routes(blueprint: Blueprint, rails: tuple[Rail, ...]) -> Mapping[str, Route]:
    """Return the ways to the pools over all rails, and per rail a table that leaves by it alone."""
    found: dict[str, Route] = {}
    hops = [{6 if ":" in gateway else 4: NextHop(gateway, rail.port) for gateway in rail.gateways} for rail in rails]
    if hops:
        for pool in (*(pool.network for pool in blueprint.pools.hosts), *blueprint.pools.loopbacks):
            found[f"main {pool}"] = Route(tuple(hop[pool.version] for hop in hops if pool.version in hop))
    for number, hop in enumerate(hops, 1):
        found |= {f"{TABLE + number} {_default(version)}": Route((way,)) for version, way in hop.items()}
    return found


def _default(version: int) -> str:
    return "default" if version == 4 else "::/0"


def _sysctl(blueprint: Blueprint, rails: tuple[Rail, ...]) -> Mapping[str, Parameter]:
    found = dict(_PARAMETERS) if 4 in blueprint.families else {}
    if 6 in blueprint.families:
        plain = [rail.port for rail in rails if "." not in rail.port]
        found |= _HASH6
        found |= {f"net.ipv6.conf.{port}.{key}": value for port in plain for key, value in _PER_PORT6.items()}
    return found

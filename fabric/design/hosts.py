"""Settings of a host: a rail per NIC, with its address, its way out, and the rule that makes it answer by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabric.design.model import Rail
from fabric.design.switches import LINUX_LIKE
from fabric.settings.addresses import Address, Addresses
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
    from collections.abc import Mapping

    from fabric.design.addressing import Pairs
    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment, HostGroup
    from fabric.intent.models import Addressing

TABLE = 100
PREFERENCE = 1000

_SYSCTL = {
    "net.ipv4.conf.all.arp_ignore": "1",
    "net.ipv4.conf.all.arp_announce": "2",
    "net.ipv4.conf.all.rp_filter": "2",
}
_PARAMETERS = {key: Parameter(value) for key, value in _SYSCTL.items()}
_ADDRESS = Address()


def host_rails(hosts: Pairs, nics: tuple[Attachment, ...]) -> tuple[Rail, ...]:
    """Return the rails of one host in order of its NICs."""
    return tuple(
        Rail(
            node=row.host_name,
            port=row.port,
            rail=row.nic + 1,
            address=hosts.odd(hosts.of_nic(row)),
            gateway=hosts.even(hosts.of_nic(row)),
            leaf=row.leaf_name,
        )
        for row in nics
    )


def host_settings(blueprint: Blueprint, group: HostGroup, rails: tuple[Rail, ...]) -> Settings:
    """Return the settings of a host with these rails."""
    intent, shared = blueprint.document.intent, blueprint.quality
    ports = tuple(rail.port for rail in rails)
    speed = intent.topology.cables[group.cable].speed
    port = Port(mtu=intent.addressing.mtu, enabled=True, speed=speed)
    facets: list[Facet[Any]] = [
        Links(dict.fromkeys(ports, port)),
        Addresses({f"{rail.port} {rail.address}/31": _ADDRESS for rail in rails}),
        Routes(_routes(intent.addressing, rails)),
        Policy({f"from {rail.address}": Lookup(TABLE + rail.rail, PREFERENCE + rail.rail) for rail in rails}),
        Maps(dict.fromkeys(ports, shared.maps)),
        Queues(dict.fromkeys(ports, shared.queues[speed])),
        Pfc(dict.fromkeys(ports, shared.pfc)),
    ]
    if shared.nic is not None:
        facets.append(Nic(dict.fromkeys(ports, shared.nic)))
    if shared.mlx5 is not None and group.nic.driver == "mlx5":
        facets.append(Dcqcn(dict.fromkeys(ports, shared.mlx5)))
    if group.intent.system in LINUX_LIKE:
        facets.append(Sysctl(_PARAMETERS))
    return Settings(*facets)


def _routes(addressing: Addressing, rails: tuple[Rail, ...]) -> Mapping[str, Route]:
    """Return the ways to the pools over all rails, and per rail a table that leaves by it alone."""
    hops = tuple(NextHop(rail.gateway, rail.port) for rail in rails)
    everywhere = Route(hops)
    found = {f"main {addressing.hosts}": everywhere, f"main {addressing.loopbacks}": everywhere}
    for rail, hop in zip(rails, hops, strict=True):
        found[f"{TABLE + rail.rail} default"] = Route((hop,))
    return found

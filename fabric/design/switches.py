"""Settings of a switch: links, addresses, bgp, sysctl, and what classes mean on its ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabric.design.asn import asn
from fabric.settings.addresses import Address, Addresses
from fabric.settings.bgp import Announced, Bgp, BgpRow, Neighbor, Router
from fabric.settings.buffers import Buffers
from fabric.settings.ecn import Ecn
from fabric.settings.facet import Facet, Settings
from fabric.settings.links import Links, Port
from fabric.settings.maps import Maps
from fabric.settings.pfc import Pfc
from fabric.settings.queues import Queues
from fabric.settings.sysctl import Parameter, Sysctl
from fabric.settings.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import SwitchGroup
    from fabric.design.quality import Quality

LINUX_LIKE = frozenset({"frr", "linux"})
MAX_PATHS = 64
LOOPBACK = "lo"

_SYSCTL = {
    "net.ipv4.ip_forward": Parameter("1"),
    "net.ipv6.conf.all.forwarding": Parameter("1"),
    "net.ipv4.fib_multipath_hash_policy": Parameter("1"),
    "net.ipv4.conf.all.rp_filter": Parameter("0"),
}
_NO_FILTER = Parameter("0")
_ADDRESS = Address()
_ANNOUNCED = Announced()
_UNNUMBERED = Neighbor(remote_as="external", interface=True, activated=True)


def switch_settings(blueprint: Blueprint, group: SwitchGroup, node: int) -> Settings:
    """Return the settings of switch ``node`` (from 0) of a role."""
    name = group.names[node]
    speeds = _speeds(blueprint, name)
    loopback = blueprint.pools.loopback(group, node)
    router = Router(
        asn=asn(group, node), router_id=loopback, max_paths=MAX_PATHS, multipath_relax=True, requires_policy=False
    )
    facets: list[Facet[Any]] = [
        Links(_links(blueprint, speeds)),
        Addresses(_addresses(blueprint, name, loopback)),
        Bgp({"router": router} | _neighbors(blueprint, name) | _announced(blueprint, name, loopback)),
        *_quality(blueprint.quality, speeds),
    ]
    if group.intent.system in LINUX_LIKE:
        # A dot in a port name would be read as another level of the parameter's name.
        plain = (port for port in speeds if "." not in port)
        facets.append(Sysctl(_SYSCTL | {f"net.ipv4.conf.{port}.rp_filter": _NO_FILTER for port in plain}))
    return Settings(*facets)


def _quality(shared: Quality, speeds: Mapping[str, int]) -> list[Facet[Any]]:
    """Return the facets of classes: empty where the intent wants none, left out where it has no opinion."""
    facets: list[Facet[Any]] = [
        Maps(dict.fromkeys(speeds, shared.maps)),
        Queues({port: shared.queues[speed] for port, speed in speeds.items()}),
        Pfc(dict.fromkeys(speeds, shared.pfc)),
        Ecn({} if shared.ecn is None else dict.fromkeys(speeds, shared.ecn)),
        Watchdog({} if shared.watchdog is None else dict.fromkeys(speeds, shared.watchdog)),
    ]
    if shared.buffer is not None:
        facets.append(Buffers(dict.fromkeys(speeds, shared.buffer)))
    return facets


def _links(blueprint: Blueprint, speeds: Mapping[str, int]) -> Mapping[str, Port]:
    """Return what the cabled ports of a switch are set to; ports of one speed share one value."""
    mtu = blueprint.document.intent.addressing.mtu
    values = {speed: Port(mtu=mtu, enabled=True, speed=speed) for speed in set(speeds.values())}
    return {port: values[speed] for port, speed in speeds.items()}


def _speeds(blueprint: Blueprint, name: str) -> Mapping[str, int]:
    """Return the cabled ports of a switch in order of their numbers, with their speeds in bit/s."""
    layout, cables = blueprint.layout, blueprint.document.intent.topology.cables
    ports = [(row.leaf_number, row.leaf_port, row.host.cable) for row in layout.attached.get(name, ())]
    ports += [(wire.upper_number, wire.upper_port, wire.cable) for wire in layout.downlinks.get(name, ())]
    ports += [(wire.lower_number, wire.lower_port, wire.cable) for wire in layout.uplinks.get(name, ())]
    return {port: cables[cable].speed for _, port, cable in sorted(ports)}


def _addresses(blueprint: Blueprint, name: str, loopback: str) -> dict[str, Address]:
    layout, pools = blueprint.layout, blueprint.pools
    found = {f"{LOOPBACK} {loopback}/32": _ADDRESS}
    for row in layout.attached.get(name, ()):
        found[f"{row.leaf_port} {pools.hosts.even(pools.hosts.of_nic(row))}/31"] = _ADDRESS
    if pools.links is not None:
        for wire in layout.downlinks.get(name, ()):
            found[f"{wire.upper_port} {pools.links.even(pools.links.of_wire(wire))}/31"] = _ADDRESS
        for wire in layout.uplinks.get(name, ()):
            found[f"{wire.lower_port} {pools.links.odd(pools.links.of_wire(wire))}/31"] = _ADDRESS
    return found


def _neighbors(blueprint: Blueprint, name: str) -> dict[str, BgpRow]:
    down, up = blueprint.layout.downlinks.get(name, ()), blueprint.layout.uplinks.get(name, ())
    links = blueprint.pools.links
    if links is None:
        ports = [wire.upper_port for wire in down] + [wire.lower_port for wire in up]
        return {f"neighbor {port}": _UNNUMBERED for port in ports}
    lower = {links.odd(links.of_wire(wire)): asn(wire.lower, wire.lower_index) for wire in down}
    upper = {links.even(links.of_wire(wire)): asn(wire.upper, wire.upper_index) for wire in up}
    return {
        f"neighbor {address}": Neighbor(remote_as=str(number), interface=False, activated=True)
        for address, number in (lower | upper).items()
    }


def _announced(blueprint: Blueprint, name: str, loopback: str) -> dict[str, BgpRow]:
    hosts = blueprint.pools.hosts
    prefixes = [f"{loopback}/32"]
    prefixes += [f"{hosts.even(hosts.of_nic(row))}/31" for row in blueprint.layout.attached.get(name, ())]
    return {f"network {prefix}": _ANNOUNCED for prefix in prefixes}

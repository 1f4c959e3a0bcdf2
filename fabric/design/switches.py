"""Settings of a switch: links, addresses, bgp, sysctl, and what classes mean on its ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabric.design.asn import asn
from fabric.design.bonds import bonded, leaf_bond, members, system_id
from fabric.design.headroom_ports import computed
from fabric.design.ports import buffer, links
from fabric.settings.addresses import Address, Addresses
from fabric.settings.balance import Balancing
from fabric.settings.bgp import Announced, Bgp, BgpRow, Neighbor, Router
from fabric.settings.bonds import Bond, Bonds
from fabric.settings.buffers import Buffers
from fabric.settings.ecn import Ecn
from fabric.settings.facet import ABSENT, Facet, Settings
from fabric.settings.links import Links, Port
from fabric.settings.maps import Maps
from fabric.settings.pfc import Pfc
from fabric.settings.pools import Pools
from fabric.settings.queues import Queues
from fabric.settings.sysctl import Parameter, Sysctl
from fabric.settings.tenants import Tenant, Tenants
from fabric.settings.vlans import Vlan, Vlans
from fabric.settings.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.design.addressing import Pair
    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment, Laid, Switch

LINUX_LIKE = frozenset({"frr", "linux"})
MAX_PATHS = 64
LOOPBACK = "lo"

_SYSCTL = {
    "net.ipv4.ip_forward": Parameter("1"),
    "net.ipv6.conf.all.forwarding": Parameter("1"),
    "net.ipv4.fib_multipath_hash_policy": Parameter("1"),
    "net.ipv4.conf.all.rp_filter": Parameter("0"),
}
_SYSCTL6 = {"net.ipv6.fib_multipath_hash_policy": Parameter("1")}
_NO_FILTER = Parameter("0")
_KEPT = Parameter("1")
_ADDRESS = Address()
_ANNOUNCED = Announced()


def switch_settings(blueprint: Blueprint, switch: Switch) -> Settings:
    """Return the settings of a switch."""
    cables = _cables(blueprint, switch)
    given, mtu = switch.given.ports, blueprint.document.intent.addressing.mtu
    rows = links(mtu, cables, given)
    attached = blueprint.layout.attached.get(switch.name, ())
    rows |= {leaf_bond(row, blueprint.ways[row]): Port(mtu=mtu, enabled=True) for row in attached if bonded(row)}
    facets: list[Facet[Any]] = [
        Links(rows),
        Addresses(_addresses(blueprint, switch)),
        Bgp({"router": _router(blueprint, switch)} | _neighbors(blueprint, switch) | _announced(blueprint, switch)),
        *_quality(blueprint, switch, cables),
        *_layer2(blueprint, attached),
        *_whole(blueprint, attached),
    ]
    if switch.system in LINUX_LIKE:
        facets.append(Sysctl(_sysctl(blueprint, cables)))
    return Settings(*facets)


def _cables(blueprint: Blueprint, switch: Switch) -> Mapping[str, Laid]:
    """Return the cabled ports of a switch in order of their numbers, with their cables."""
    layout, name = blueprint.layout, switch.name
    ports = [(row.spot, row.leaf_port, row.laid) for row in layout.attached.get(name, ())]
    ports += [(wire.upper_spot, wire.upper_port, wire.laid) for wire in layout.downlinks.get(name, ())]
    ports += [(wire.lower_spot, wire.lower_port, wire.laid) for wire in layout.uplinks.get(name, ())]
    return {port: laid for _, port, laid in sorted(ports, key=lambda row: row[:2])}


def logical_port(blueprint: Blueprint, row: Attachment) -> str:
    """Return the port of a leaf that a host sees: a bond, or the port itself."""
    return leaf_bond(row, blueprint.ways[row]) if bonded(row) else row.leaf_port


def edge_port(blueprint: Blueprint, row: Attachment) -> str:
    """Return the port of a leaf that holds the gateway of a host: a VLAN's, a bond, or the port itself."""
    if blueprint.pools.vlan is not None:
        return f"vlan{blueprint.pools.vlan}"
    return logical_port(blueprint, row)


def _addresses(blueprint: Blueprint, switch: Switch) -> dict[str, Address]:
    layout, name = blueprint.layout, switch.name
    found = {f"{LOOPBACK} {host_prefix(address)}": _ADDRESS for address in blueprint.pools.loopback(switch)}
    for row in layout.attached.get(name, ()):
        port = edge_port(blueprint, row)
        for pair in blueprint.edges[row]:
            found[f"{port} {pair.upper}/{pair.length}"] = _ADDRESS
    for wire in layout.downlinks.get(name, ()):
        for pair in blueprint.links[wire]:
            found[f"{wire.upper_port} {pair.upper}/{pair.length}"] = _ADDRESS
    for wire in layout.uplinks.get(name, ()):
        for pair in blueprint.links[wire]:
            found[f"{wire.lower_port} {pair.lower}/{pair.length}"] = _ADDRESS
    return found


def host_prefix(address: str) -> str:
    """Return the prefix of a single address."""
    return f"{address}/{128 if ':' in address else 32}"


def _router(blueprint: Blueprint, switch: Switch) -> Router:
    return Router(
        asn=asn(switch),
        router_id=blueprint.pools.router_id(switch),
        max_paths=MAX_PATHS,
        multipath_relax=True,
        requires_policy=False,
        max_paths6=MAX_PATHS if 6 in blueprint.families else ABSENT,
    )


def _neighbors(blueprint: Blueprint, switch: Switch) -> dict[str, BgpRow]:
    down = blueprint.layout.downlinks.get(switch.name, ())
    up = blueprint.layout.uplinks.get(switch.name, ())
    found: dict[str, BgpRow] = {}
    for wire in down:
        found |= _sessions(blueprint, wire.upper_port, asn(wire.lower), blueprint.links[wire], lower=True)
    for wire in up:
        found |= _sessions(blueprint, wire.lower_port, asn(wire.upper), blueprint.links[wire], lower=False)
    return found


def _sessions(
    blueprint: Blueprint, port: str, number: int, pairs: tuple[Pair, ...], *, lower: bool
) -> dict[str, BgpRow]:
    """Return the sessions over one cable; ``lower`` says that the neighbour is its lower end."""
    bfd, families = blueprint.quality.bfd or False, blueprint.families
    six = True if 6 in families else ABSENT
    if not pairs:
        return {
            f"neighbor {port}": Neighbor("external", interface=True, activated=4 in families, activated6=six, bfd=bfd)
        }
    return {
        f"neighbor {pair.lower if lower else pair.upper}": Neighbor(
            remote_as=str(number),
            interface=False,
            activated=pair.version == 4,
            activated6=six and pair.version == 6,
            bfd=bfd,
        )
        for pair in pairs
    }


def _announced(blueprint: Blueprint, switch: Switch) -> dict[str, BgpRow]:
    prefixes = [host_prefix(address) for address in blueprint.pools.loopback(switch)]
    for row in blueprint.layout.attached.get(switch.name, ()):
        prefixes += [pair.prefix for pair in blueprint.edges[row]]
    return {f"network {prefix}": _ANNOUNCED for prefix in prefixes}


def _quality(blueprint: Blueprint, switch: Switch, cables: Mapping[str, Laid]) -> list[Facet[Any]]:
    """Return the facets of classes: empty where the intent wants none, left out where it has no opinion."""
    shared, given = blueprint.quality, switch.given.ports
    edges = {row.leaf_port: row.cards.role for row in blueprint.layout.attached.get(switch.name, ())}
    ports = {port: shared.on(laid.speed, edges.get(port)) for port, laid in cables.items()}
    facets: list[Facet[Any]] = [
        Maps({port: found.maps for port, found in ports.items()}),
        Queues({port: found.queues for port, found in ports.items()}),
        Pfc({port: found.pfc for port, found in ports.items()}),
        Ecn({port: found.ecn for port, found in ports.items() if found.ecn is not None}),
        Watchdog({port: found.watchdog for port, found in ports.items() if found.watchdog is not None}),
    ]
    buffers = {port: buffer(found.buffer, given.get(port)) for port, found in ports.items()}
    wanted = {port: found for port, found in buffers.items() if found is not None}
    reckoned = computed(blueprint.document.intent, switch, cables, ports, wanted)
    return [*facets, Buffers(reckoned)] if wanted else facets


def _layer2(blueprint: Blueprint, attached: tuple[Attachment, ...]) -> list[Facet[Any]]:
    """Return VLANs and bonds of edge ports; none where the intent asks for none."""
    facets: list[Facet[Any]] = []
    bonds: dict[str, Bond] = {}
    for row in attached:
        if bonded(row):
            together = blueprint.ways[row]
            ports = tuple(each.leaf_port for each in members(row, together))
            bonds[leaf_bond(row, together)] = Bond(ports, system_id(together[0]))
    if bonds:
        facets.append(Bonds(bonds))
    if blueprint.pools.vlan is not None:
        vlan = Vlan(blueprint.pools.vlan)
        facets.append(Vlans({logical_port(blueprint, row): vlan for row in attached}))
    return facets


def _whole(blueprint: Blueprint, attached: tuple[Attachment, ...]) -> list[Facet[Any]]:
    """Return what holds for the switch as a whole: buffer pools, load balancing, tenants."""
    facets: list[Facet[Any]] = []
    if blueprint.quality.pools:
        facets.append(Pools(blueprint.quality.pools))
    if blueprint.quality.balance is not None:
        facets.append(Balancing({"fabric": blueprint.quality.balance}))
    ports = {
        tenant.name: Tenant(tenant.vni, tuple(row.leaf_port for row in attached if row.host.name in tenant.hosts))
        for tenant in blueprint.tenants
    }
    here = {name: tenant for name, tenant in ports.items() if tenant.ports}
    if here:
        facets.append(Tenants(here))
    return facets


def _sysctl(blueprint: Blueprint, cables: Mapping[str, Laid]) -> Mapping[str, Parameter]:
    # A dot in a port name would be read as another level of the parameter's name.
    plain = [port for port in cables if "." not in port]
    found = _SYSCTL | {f"net.ipv4.conf.{port}.rp_filter": _NO_FILTER for port in plain}
    if 6 in blueprint.families:
        found |= _SYSCTL6 | {f"net.ipv6.conf.{port}.keep_addr_on_down": _KEPT for port in plain}
    return found

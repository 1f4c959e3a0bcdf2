"""Why the settings of a host are what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.hosts import PREFERENCE, TABLE
from fabric.design.model import Origin
from fabric.units import format_speed

if TYPE_CHECKING:
    from fabric.design.addressing import Pairs
    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment
    from fabric.intent.document import Document

_SYSCTL = {
    "net.ipv4.conf.all.arp_ignore": "1: a NIC answers ARP for its own address only, so that rails do not mix",
    "net.ipv4.conf.all.arp_announce": "2: ARP is asked with the address of the NIC that asks",
    "net.ipv4.conf.all.rp_filter": "2: loose, so that an answer may come by another rail",
}


def host_origin(blueprint: Blueprint, name: str, facet: str, key: str) -> Origin:
    """Return why the row under ``key`` of a host is what it is."""
    document, nics = blueprint.document, blueprint.layout.nics[name]
    role = f"topology.hosts.{nics[0].host.role}"
    if facet == "sysctl":
        return Origin(_SYSCTL[key], document.place(f"{role}.system"))
    if facet == "routes" and key.startswith("main "):
        return Origin(f"one way out per NIC, {len(nics)} in all, by the leaf's address", document.place(role))
    found = _nic(blueprint.pools.hosts, nics, facet, key)
    if facet == "links":
        return _link(document, found)
    rail = found.nic + 1
    if facet == "routes":
        reason = f"table {TABLE} + {rail} = {TABLE + rail}: what leaves by rail {rail} only"
        return Origin(reason, document.place(role))
    if facet == "policy":
        tables = f"table {TABLE} + {rail} = {TABLE + rail}, preference {PREFERENCE} + {rail} = {PREFERENCE + rail}"
        return Origin(f"packets from NIC {rail} leave by rail {rail}: {tables}", document.place(role))
    reason = f"{blueprint.pools.hosts.formula_of_nic(found)}; the host has the odd address"
    return Origin(reason, document.place("addressing.hosts"))


def _nic(hosts: Pairs, nics: tuple[Attachment, ...], facet: str, key: str) -> Attachment:
    """Return the NIC that a key speaks of, by port, table or address."""

    def name(row: Attachment) -> str:
        if facet == "routes":
            return f"{TABLE + row.nic + 1} default"
        address = hosts.odd(hosts.of_nic(row))
        return {"links": row.port, "policy": f"from {address}"}.get(facet, f"{row.port} {address}/31")

    return next(row for row in nics if name(row) == key)


def _link(document: Document, row: Attachment) -> Origin:
    group, cable = row.host, document.intent.topology.cables[row.host.cable]
    if group.intent.interfaces is not None:
        named = f"named in topology.hosts.{group.role}.interfaces"
    elif group.nic.names is not None:
        named = f"named as {group.nic.name} devices are"
    else:
        named = "a label: the device is read on the host"
    reason = (
        f"NIC {row.nic + 1}, {named}; to {row.leaf_name}:{row.leaf_port}; speed {format_speed(cable.speed)} "
        f"of the cable, IP MTU of addressing.mtu"
    )
    return Origin(reason, document.place(f"topology.cables.{group.cable}"))

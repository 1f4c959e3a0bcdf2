"""Why the settings of a host are what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabric.design.bonds import bonded, host_bond, ways_out
from fabric.design.hosts import PREFERENCE, TABLE
from fabric.design.model import Origin
from fabric.design.why_cables import addressed, laid, port_origin
from fabric.units import format_speed

if TYPE_CHECKING:
    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Attachment, Host

_SYSCTL = {
    "net.ipv4.conf.all.arp_ignore": "1: a NIC answers ARP for its own address only, so that rails do not mix",
    "net.ipv4.conf.all.arp_announce": "2: ARP is asked with the address of the NIC that asks",
    "net.ipv4.conf.all.rp_filter": "2: loose, so that an answer may come by another rail",
    "net.ipv6.fib_multipath_hash_policy": "1: ECMP hashes ports as well as addresses, so that flows of a pair spread",
    "accept_ra": "0: routes come from this file, not from router advertisements",
    "keep_addr_on_down": "1: the address outlives a flap of the link",
}


def host_origin(blueprint: Blueprint, host: Host, facet: str, key: str) -> Origin:
    """Return why the row under ``key`` of a host is what it is."""
    document = blueprint.document
    ways = tuple(ways_out(blueprint.layout.nics.get(host.name, ())))
    place = document.place(f"topology.hosts.{host.role}")
    if facet == "sysctl":
        reason = _SYSCTL.get(key) or _SYSCTL[key.rpartition(".")[2]]
        return Origin(reason, document.place(f"topology.hosts.{host.role}.system") or place)
    if facet == "routes" and key.startswith("main "):
        return Origin(f"one way out per NIC, {len(ways)} in all, by the leaf's address", place)
    number, rows = next(
        (number, rows) for number, rows in enumerate(ways, 1) if key in _names(blueprint, facet, number, rows)
    )
    if facet == "links":
        return _link(blueprint, next((row for row in rows if row.port == key), rows[0]), key)
    if facet == "addresses":
        return addressed(blueprint, rows[0], key.rpartition(" ")[2], lower=True)
    table, nic = f"table {TABLE} + {number} = {TABLE + number}", f"NIC {rows[0].nic + 1}"
    reasons = {
        "bonds": f"bond: lacp, the {len(rows)} ports of {nic}",
        "routes": f"{table}: what leaves by rail {number} only",
        "policy": f"packets from {nic} leave by rail {number}: {table}, "
        f"preference {PREFERENCE} + {number} = {PREFERENCE + number}",
    }
    return Origin(reasons[facet], place)


def _names(blueprint: Blueprint, facet: str, number: int, rows: tuple[Attachment, ...]) -> Iterator[str]:
    """Yield the keys of a facet that speak of a way out."""
    port = host_bond(rows[0]) if bonded(rows[0]) else rows[0].port
    if facet in {"links", "bonds"}:
        yield port
        yield from (row.port for row in rows)
    elif facet == "routes":
        yield from (f"{TABLE + number} default", f"{TABLE + number} ::/0")
    for pair in blueprint.edges[rows[0]]:
        yield f"from {pair.lower}" if facet == "policy" else f"{port} {pair.lower}/{pair.length}"


def _link(blueprint: Blueprint, row: Attachment, key: str) -> Origin:
    document, host = blueprint.document, row.host
    special = port_origin(blueprint, host, key)
    if special is not None:
        return special
    if key != row.port:
        return Origin(f"bond of NIC {row.nic + 1}; IP MTU of addressing.mtu", document.place("addressing.mtu"))
    if row.cards.intent.interfaces is not None or host.given.interfaces is not None:
        named = f"named in {'nodes' if host.given.interfaces else f'topology.hosts.{row.cards.role}.interfaces'}"
    elif row.cards.named:
        named = f"named as {row.cards.nic.name} devices are"
    else:
        named = "a label: the device is read on the host"
    leg = f", port {row.leg + 1}" if row.cards.intent.ports > 1 else ""
    reason = (
        f"NIC {row.nic + 1}{leg}, {named}; to {row.leaf.name}:{row.leaf_port}; speed {format_speed(row.laid.speed)} "
        f"of the cable, IP MTU of addressing.mtu"
    )
    return Origin(reason, laid(blueprint, row))

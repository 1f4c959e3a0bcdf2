"""Listing: a design as the two CSV files that, given back in the intent, keep every name, number and cable as it is."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from ipaddress import ip_interface
from pathlib import Path

from fabric.design.model import Design
from fabric.places import put_whole
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Router
from fabric.settings.facet import ABSENT, Maybe
from fabric.settings.network import End, Link, Node
from fabric.units import format_speed

NODES = ("node", "name", "state", "management", "loopback", "asn", "system", "model", "release", "nic", "interfaces")
CABLES = (
    *("from_node", "from_port", "to_node", "to_port", "speed", "length_m", "media", "fec"),
    *("from_address", "to_address"),
)


def write(design: Design, folder: Path) -> tuple[Path, Path]:
    """Write nodes.csv and cables.csv into a folder, and return their paths; OSError when they cannot be written.

    They are given back with ``nodes: {file: nodes.csv}`` and ``topology.cables: [{file: cables.csv}]``.
    """
    nodes, cables = folder / "nodes.csv", folder / "cables.csv"
    put_whole(nodes, nodes_csv(design))
    put_whole(cables, cables_csv(design))
    return nodes, cables


def nodes_csv(design: Design) -> str:
    """Return one line per node: its place, and every value of it that could be computed otherwise another time.

    Places whose nodes were removed are kept, as others would move into them.
    """
    removed = ((place, "", "removed", *("" for _ in NODES[3:])) for place in design.removed)
    return _text(NODES, (*(_node(design, node) for node in design.network.nodes.values()), *removed))


def cables_csv(design: Design) -> str:
    """Return one line per cable, the lower end first; addresses where the two ports share a subnet of their own."""
    return _text(CABLES, (_cable(design, link) for link in design.network.links))


def _node(design: Design, node: Node) -> tuple[str, ...]:
    place = design.places.get(node.name, node.name)
    switch = node.kind == "switch"
    router = node.settings.rows(Bgp).get("router")
    asn = str(router.asn) if switch and isinstance(router, Router) else ""
    loopbacks = [key.partition(" ")[2] for key in node.settings.rows(Addresses) if key.startswith("lo ")]
    return (
        place,
        node.name if node.name != place else "",
        node.state if node.state != "active" else "",
        design.management.get(node.name, ""),
        " ".join(str(ip_interface(each).ip) for each in loopbacks),
        asn,
        node.system,
        node.model if switch else "",
        _given(node.facts.release),
        "" if switch else node.model,
        " ".join(design.interfaces.get(node.name, ())),
    )


def _given(value: Maybe[str]) -> str:
    return "" if value is ABSENT else str(value)


def _cable(design: Design, link: Link) -> tuple[str, ...]:
    length = f"{link.length:g}" if link.length else ""
    words = (format_speed(link.speed), length, link.media or "", link.fec or "")
    return (link.a.node, link.a.port, link.b.node, link.b.port, *words, *_addresses(design, link))


def _addresses(design: Design, link: Link) -> tuple[str, str]:
    """Return the addresses of a numbered link, one of each family; empty where it has none (unnumbered, bond, VLAN)."""
    lower, upper = ([ip_interface(key.partition(" ")[2]) for key in _keys_on(design, end)] for end in (link.a, link.b))
    pairs = [(str(one.ip), str(other.ip)) for one in lower for other in upper if one.network == other.network]
    return " ".join(one for one, _ in pairs), " ".join(other for _, other in pairs)


def _keys_on(design: Design, end: End) -> Iterator[str]:
    rows = design.network.nodes[end.node].settings.rows(Addresses)
    return (key for key in rows if key.partition(" ")[0] == end.port)


def _text(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()

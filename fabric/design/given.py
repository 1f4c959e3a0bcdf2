"""Given addresses of cables: what a list may say, so that both ends of every link come to be in one prefix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.design.addressing import Pools, length_of
from fabric.design.bonds import ways_out
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Layout, Wire
from fabric.intent.document import Document
from fabric.intent.prefixes import IpAddress

_WIDEST: Mapping[int, int] = {4: 24, 6: 64}
_FAMILY: Mapping[int, str] = {4: "IPv4", 6: "IPv6"}


def check_given(document: Document, layout: Layout, where: Pools) -> None:
    """Raise DesignError for all lines whose addresses make no link."""
    faults = Gathered()
    for message, hint, row in _wrong(layout, where):
        with faults:
            raise fault(document, row.laid.line or f"topology.cables.{row.laid.entry}", message, hint)
    faults.end()


def _wrong(layout: Layout, where: Pools) -> Iterator[tuple[str, str, Wire | Attachment]]:
    """Yield what is wrong, what to do, and the cable."""
    families: set[int] = {pool.version for pool in where.loopbacks}
    for wire in (wire for wires in layout.uplinks.values() for wire in wires if wire.given):
        yield from ((*said, wire) for said in _families(wire, families))
        yield from ((*said, wire) for pair in wire.given for said in _apart(pair))
        missing = families - {lower.version for lower, _ in wire.given}
        if missing and not where.links:
            said = f"links are unnumbered, and this one is given no {_FAMILY[min(missing)]} addresses"
            yield said, "give it addresses of both families, or none", wire
    for together in (rows for nics in layout.laid.values() for rows in ways_out(nics)):
        for row in (row for row in together if row.given):
            yield from ((*said, row) for said in _families(row, families))
            if row.given != together[0].given:
                yield _bonded(row, together[0])
            for pair in row.given if row is together[0] else ():
                yield from (
                    (*said, row) for said in (_apart(pair) if where.vlan is None else _elsewhere(where, row, pair))
                )


def _families(row: Wire | Attachment, families: set[int]) -> Iterator[tuple[str, str]]:
    for lower, _ in row.given:
        if lower.version not in families:
            has = " and ".join(_FAMILY[version] for version in sorted(families))
            yield f"{lower} is {_FAMILY[lower.version]}, and the fabric is {has}", f"give {has} addresses, or add pools"


def _apart(pair: tuple[IpAddress, IpAddress]) -> Iterator[tuple[str, str]]:
    """Yield that two addresses are too far apart for the ends of a link."""
    lower, upper = pair
    length = length_of(lower, upper)
    if length < _WIDEST[lower.version]:
        said = f"{lower} and {upper} are no neighbours: no prefix longer than /{length} has both of them as hosts"
        yield said, f"give two addresses of one prefix, of /{_WIDEST[lower.version]} or longer"


def _elsewhere(where: Pools, row: Attachment, pair: tuple[IpAddress, IpAddress]) -> Iterator[tuple[str, str]]:
    """Yield that addresses do not fit into the subnet of a leaf."""
    host, gateway = pair
    for pool in (pool for pool in where.hosts if pool.network.version == host.version):
        subnet = where.subnet(pool, row.leaf)
        first = subnet.network_address + 1
        if host not in subnet or gateway != first or host in {subnet.network_address, first, subnet.broadcast_address}:
            said = f"{host} and {gateway} do not fit into {subnet}, the subnet of {row.leaf.name}"
            yield said, f"give the host an address of it, and the leaf {first}, which is the gateway"


def _bonded(row: Attachment, first: Attachment) -> tuple[str, str, Attachment]:
    name = f"bond {row.nic + 1} of {row.host.name}"
    said = f"{name} has one address, which the cable of its first port ({first.port}) gives or leaves open"
    return said, "give these addresses there, or the same ones as there", row

"""Given addresses of cables: what a list may say, so that both ends of every link come to be in one prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from fabric.design.addressing import Pools, length_of
from fabric.design.bonds import ways_out
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Layout, Wire
from fabric.intent.document import Document
from fabric.intent.prefixes import IpAddress

Said: TypeAlias = tuple[str, str]
"""What is wrong, and what to do."""

_WIDEST: Mapping[int, int] = {4: 24, 6: 64}
_FAMILY: Mapping[int, str] = {4: "IPv4", 6: "IPv6"}


def check_given(document: Document, layout: Layout, where: Pools) -> None:
    """Raise DesignError for all lines whose addresses make no link."""
    faults = Gathered()
    for row, said in _all(layout, where):
        for message, hint in said:
            with faults:
                raise fault(document, row.laid.line or f"topology.cables.{row.laid.entry}", message, hint)
    faults.end()


def _all(layout: Layout, where: Pools) -> Iterator[tuple[Wire | Attachment, Iterator[Said]]]:
    """Yield the cables that addresses are given to, each with what is wrong with these."""
    for wires in layout.uplinks.values():
        yield from ((wire, _between_switches(where, wire)) for wire in wires if wire.given)
    for together in (rows for nics in layout.laid.values() for rows in ways_out(nics)):
        yield from ((row, _at_the_edge(where, row, together[0])) for row in together if row.given)


def _between_switches(where: Pools, wire: Wire) -> Iterator[Said]:
    yield from _foreign(where, wire)
    for lower, upper in wire.given:
        yield from _apart(lower, upper)
    missing = _versions(where) - {lower.version for lower, _ in wire.given}
    if missing and not where.links:
        said = f"links are unnumbered, and this one is given no {_names(missing)} addresses"
        yield said, "give it addresses of both families, or none"


def _at_the_edge(where: Pools, row: Attachment, first: Attachment) -> Iterator[Said]:
    """Yield what is wrong with the addresses of a cable of a host; ``first`` is the first of its bond, or itself."""
    yield from _foreign(where, row)
    if row.given != first.given:
        name = f"bond {row.nic + 1} of {row.host.name}"
        said = f"{name} has one address, which the cable of its first port ({first.port}) gives or leaves open"
        yield said, "give these addresses there, or the same ones as there"
    for host, leaf in row.given:
        yield from _apart(host, leaf) if where.vlan is None else _elsewhere(where, first, host, leaf)


def _foreign(where: Pools, row: Wire | Attachment) -> Iterator[Said]:
    """Yield addresses of families that the fabric has not."""
    families = _versions(where)
    for lower, _ in row.given:
        if lower.version not in families:
            said = f"{lower} is {_FAMILY[lower.version]}, and the fabric is {_names(families)}"
            yield said, f"give {_names(families)} addresses, or add pools"


def _apart(lower: IpAddress, upper: IpAddress) -> Iterator[Said]:
    """Yield that two addresses are too far apart for the ends of a link."""
    length = length_of(lower, upper)
    if length < _WIDEST[lower.version]:
        said = f"{lower} and {upper} are no neighbours: no prefix longer than /{length} has both of them as hosts"
        yield said, f"give two addresses of one prefix, of /{_WIDEST[lower.version]} or longer"


def _elsewhere(where: Pools, row: Attachment, host: IpAddress, gateway: IpAddress) -> Iterator[Said]:
    """Yield that addresses do not fit into the subnet of a leaf."""
    for pool in (pool for pool in where.hosts if pool.network.version == host.version):
        subnet = where.subnet(pool, row.leaf)
        first = subnet.network_address + 1
        if host not in subnet or gateway != first or host in {subnet.network_address, first, subnet.broadcast_address}:
            said = f"{host} and {gateway} do not fit into {subnet}, the subnet of {row.leaf.name}"
            yield said, f"give the host an address of it, and the leaf {first}, which is the gateway"


def _versions(where: Pools) -> set[int]:
    return {pool.version for pool in where.loopbacks}


def _names(versions: Iterable[int]) -> str:
    return " and ".join(_FAMILY[version] for version in sorted(versions))

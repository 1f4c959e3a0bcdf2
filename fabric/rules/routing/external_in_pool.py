"""Neighbours outside the design have addresses outside its pools.

What it does
    Compares the addresses of ``external`` neighbours with the pools of ``addressing``, and with every address that the
    design gives out.

Why
    What lies in a pool is ours, now or when the fabric grows: the address of the neighbour will be given to a port
    sooner or later, and then two devices have it. One that a port already has is a neighbour that cannot be reached.

Fails
    ``external: [{node: leaf01, neighbor: 10.128.0.9}]`` with ``links: 10.128.0.0/16``.

Passes
    ``external: [{node: leaf01, neighbor: 192.0.2.1}]``.

Options
    None.

Known limits
    Neighbours that are named by their port only have no address to compare.

Source
    RFC 4271 section 4.2 and RFC 5227 (an address belongs to one device); the neighbour itself is left alone, as
    docs/architecture.md section 6 says. Catalogue code A03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address, ip_interface

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses

SEVERITY = Severity.WARNING


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per external neighbour with an address in a pool, an error where a port has it."""
    given = [(index, each) for index, each in enumerate(document.intent.external) if each.neighbor is not None]
    if not given:
        return
    holders = {
        ip_interface(key.partition(" ")[2]).ip: f"{name}:{key.partition(' ')[0]}"
        for name, node in design.network.nodes.items()
        for key in node.settings.rows(Addresses)
    }
    prefixes = next(iter(design.scopes.values())).prefixes
    for index, each in given:
        address = ip_address(str(each.neighbor))
        pool = next((prefix for prefix in prefixes if address in prefix), None)
        taken = holders.get(address)
        if pool is None and taken is None:
            continue
        yield Violation(
            path=f"external.{index}.neighbor",
            message=f"the external neighbour {address} "
            + (f"has the address of {taken}" if taken else f"lies in the pool {pool}"),
            measured=f"{address}" + (f" in {pool}" if pool else ""),
            bound="an address outside all pools",
            fix="correct the address, or choose pools that do not hold it",
            severity=Severity.ERROR if taken else None,
        )

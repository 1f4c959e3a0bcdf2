"""The way to the fabric does not lead through the fabric.

What it does
    Compares the host of every jump host in use with the names of all nodes, the addresses at which they are reached,
    and the addresses that the design gives them.

Why
    A change of that node, or its reload, cuts the connection to all nodes behind it in the middle of their own change:
    each of them then waits for its timer and undoes what was right.

Fails
    ``jump: {gate: {host: leaf01.mgmt.example.net}}`` where leaf01 is reached at leaf01.mgmt.example.net.

Passes
    A jump host that the design does not have.

Options
    None.

Known limits
    Names are compared as they are written, not looked up. Whether the path to a jump host crosses the fabric is not
    known.

Source
    RFC 7938 section 6 and every operator's rule: management out of band, so that a fault does not take away the means
    to mend it.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_interface

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses
from fabric.transport.reached import ways

SEVERITY = Severity.WARNING


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per jump host in use that is a node of the design."""
    access = document.intent.access
    if access is None or not access.jump:
        return
    found = ways(access, design)
    used = {way.jump for way in found.values() if way.jump}
    owners = {**_designed(design), **{way.host: name for name, way in found.items()}}
    for name, jump in access.jump.items():
        node = jump.host if jump.host in design.network.nodes else owners.get(jump.host)
        if node is not None and name in used:
            yield Violation(
                path=f"access.jump.{name}.host",
                message=f"jump host {name} ({jump.host}) is {node} of this fabric: changing it cuts off all behind it",
                measured=node,
                bound="a machine outside the fabric",
                fix="use a machine of the management network",
            )


def _designed(design: Design) -> Mapping[str, str]:
    """Return the node of every address that the design gives out."""
    return {
        str(ip_interface(key.partition(" ")[2]).ip): name
        for name, node in design.network.nodes.items()
        for key in node.settings.rows(Addresses)
    }

"""Nodes are managed at addresses outside the pools.

What it does
    Looks at the addresses at which nodes and jump hosts are reached (``nodes.NAME.management``,
    ``access.jump.NAME.host``), and reports those that lie in a pool of ``addressing``.

Why
    Hosts and switches have routes to the pools that lead through the fabric. What is sent to such an address takes
    them, and not the management network: the session that would mend a fault goes through what is at fault. And a pool
    gives the address to somebody else one day.

Fails
    ``nodes: {leaf01: {management: 10.64.0.9}}`` with ``hosts: 10.64.0.0/12``.

Passes
    ``nodes: {leaf01: {management: 192.168.0.11}}``.

Options
    None.

Known limits
    Names are not looked up. A fabric that is managed through itself on purpose (loopbacks) is reported as well: waive
    it.

Source
    RFC 4632 section 5.1 (the longest match wins). That management stays out of band is a choice of ours. Catalogue code
    A03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.intent.prefixes import IpNetwork
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.WARNING
_NUMBERS = "router_ids"  # ids look like addresses, and nobody has a route to them


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per address of management that lies in a pool."""
    pools = [(key, pool) for key, pool in document.intent.addressing.pools() if key != _NUMBERS]
    for path, what, address in _reached(document, design):
        where = next((key for key, pool in pools if _within(address, pool)), None)
        if where is not None:
            yield Violation(
                path=path,
                message=f"{what} is reached at {address}, which lies in the pool of {where}",
                measured=address,
                bound="an address in no pool",
                fix=f"give it an address of the management network, or choose addressing.{where} elsewhere",
            )


def _reached(document: Document, design: Design) -> Iterator[tuple[str, str, str]]:
    """Yield path, owner and address of all that is written as an address."""
    for name, address in design.management.items():
        yield f"nodes.{design.places.get(name, name)}.management", name, address
    access = document.intent.access
    for name, jump in access.jump.items() if access is not None else ():
        yield f"access.jump.{name}.host", f"jump host {name}", jump.host


def _within(text: str, pool: IpNetwork) -> bool:
    try:
        return ip_address(text) in pool
    except ValueError:  # a name
        return False

"""Given addresses lie in the pools.

What it does
    Looks at the loopbacks and at the addresses of BGP neighbours that the design has, and reports those that lie in
    none of the pools of ``addressing``.

Why
    The pools say which addresses are ours. What lies outside belongs to somebody else: it is neither compared nor taken
    away on a device, so that a wrong value there is never seen, and the routes of hosts, which lead to the pools, do
    not lead to it.

Fails
    ``nodes: {leaf01: {loopback: 172.16.0.1}}`` with ``loopbacks: 10.255.0.0/16``. A line of ``cables.csv`` with
    192.168.7.2 and 192.168.7.1 where ``links`` is 10.128.0.0/16.

Passes
    A given loopback 10.255.200.1 with ``loopbacks: 10.255.0.0/16``.

Options
    None.

Known limits
    An address in a pool that is meant for something else (a loopback among the links) is not reported. Computed
    addresses that are outside, because a port is beyond its model, have a rule of their own.

Source
    docs/architecture.md section 6 (what is ours is told by place). Catalogue code A03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.addresses import Addresses

SEVERITY = Severity.WARNING


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per given address outside all pools: loopbacks first, then those of listed cables."""
    if any(given.loopback for given in document.intent.nodes.values()):
        for name in design.network.nodes:
            yield from _outside(design, name, "lo", "loopbacks")
    for line in document.cables:
        if line.from_address or line.to_address:
            yield from _outside(design, line.from_node, line.from_port, "links")
            yield from _outside(design, line.to_node, line.to_port, "links")


def _outside(design: Design, name: str, port: str, pool: str) -> Iterator[Violation]:
    if name not in design.scopes:
        return
    for key in design.network.nodes[name].settings.rows(Addresses):
        where, _, written = key.partition(" ")
        address = written.partition("/")[0]
        if where == port and not design.scopes[name].covers(address):
            yield Violation(
                path=f"{name}.addresses.{key}",
                message=f"the address {address} of {name}:{port} lies in none of the pools: "
                "it is not compared with what devices have",
                measured=f"{address} in no pool",
                bound="an address of a pool",
                fix=f"give an address of the pools, or choose addressing.{pool} so that it holds this one",
            )

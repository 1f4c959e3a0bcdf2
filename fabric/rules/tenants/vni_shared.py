"""A VNI stands for one tenant, on all switches.

What it does
    Compares names, VXLAN network identifiers and ports of the tenants on all switches: one identifier under two names,
    one name with two identifiers, and a port in two tenants.

Why
    The identifier is all that a packet in a tunnel says of its tenant. Two tenants with one reach each other; one
    tenant with two is torn in halves that do not. Both are invisible on any single switch.

Fails
    leaf01 has tenant blue with VNI 100, and leaf02 has green with VNI 100, or blue with VNI 200.

Passes
    blue has VNI 100 on every leaf, green has VNI 101.

Options
    None.

Known limits
    Routes that are imported from one tenant into another on purpose are not known.

Source
    RFC 7348 section 4 (segments with different identifiers do not reach each other); RFC 7365 (tenants are kept
    apart). Catalogue code K01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.settings.tenants import Tenants

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per tenant of a switch that is at odds with an earlier one, on this switch or another."""
    names: dict[int, tuple[str, str]] = {}
    numbers: dict[str, tuple[int, str]] = {}
    ports: dict[End, str] = {}
    for node in network.nodes.values():
        for name, row in node.settings.rows(Tenants).items():
            path = f"{node.name}.tenants.{name}"
            other, there = names.setdefault(row.vni, (name, node.name))
            if other != name:
                yield _violation(
                    path, f"tenant {name} of {node.name} and {other} of {there} both have VNI {row.vni}", "2 tenants"
                )
            number, there = numbers.setdefault(name, (row.vni, node.name))
            if number != row.vni:
                said = f"tenant {name} has VNI {row.vni} on {node.name} and {number} on {there}"
                yield _violation(path, said, "2 VNIs")
            for port in row.ports:
                owner = ports.setdefault(End(node.name, port), name)
                if owner != name:
                    yield _violation(path, f"{node.name}:{port} is a port of {name} and of {owner}", "2 tenants")


def _violation(path: str, message: str, measured: str) -> Violation:
    return Violation(
        path=path,
        message=message,
        measured=measured,
        bound="one VNI for each tenant, one tenant for each port",
        fix="give each tenant one vni of its own on all switches",
    )

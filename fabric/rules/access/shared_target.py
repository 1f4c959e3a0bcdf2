"""Every node is reached at an address of its own.

What it does
    Makes the host and port of each node from ``access`` and looks for two nodes with the same.

Why
    Two nodes behind one address are one device: it would be read as both, found wrong twice, and be given the settings
    of the one and then of the other.

Fails
    ``switches: {host: 10.0.0.1}`` in a fabric with several switches.

Passes
    ``switches: {host: "{name}.mgmt.example.net"}``; a fixed host where it stands for the only node.

Options
    None.

Known limits
    Names are compared as they are written, not looked up. What ``--access`` or a lab gives instead is not judged.

Source
    RFC 4251 section 4.1 (a host key belongs to one host). No catalogue code.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per further node with a host and port that an earlier one has."""
    access = document.intent.access
    rules = {"switch": access.switches, "host": access.hosts} if access else {}
    first: dict[tuple[str, int], str] = {}
    for name, node in design.network.nodes.items():
        rule = rules.get(node.kind)
        if rule is None:
            continue
        target = (rule.host.replace("{name}", name), rule.port)
        other = first.setdefault(target, name)
        if other != name:
            yield Violation(
                path=f"access.{'switches' if node.kind == 'switch' else 'hosts'}.host",
                message=f"{name} and {other} are both reached at {target[0]} port {target[1]}",
                measured="1 address for 2 nodes",
                bound="an address for each node",
                fix="write {name} into host, where the name of the node belongs",
            )

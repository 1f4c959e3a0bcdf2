"""Every node is reached at an address of its own.

What it does
    Makes the jump host, host and port of each node from ``access`` and ``nodes.<place>.management``, and looks for two
    nodes with the same.

Why
    Two nodes behind one address are one device: it would be read as both, found wrong twice, and be given the settings
    of the one and then of the other.

Fails
    ``switches: {host: 10.0.0.1}`` in a fabric with several switches; two nodes with one ``management``.

Passes
    ``switches: {host: "{name}.mgmt.example.net"}``; a fixed host where it stands for the only node; one address behind
    two jump hosts.

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
from fabric.transport.reached import Way, ways

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per further node that is reached as an earlier one is."""
    first: dict[Way, str] = {}
    for name, way in ways(document.intent.access, design).items():
        other = first.setdefault(way, name)
        if other != name:
            own = name in design.management
            place = design.places.get(name, name)
            yield Violation(
                path=f"nodes.{place}.management" if own else f"access.{way.section}.host",
                message=f"{name} and {other} are both reached at {way}",
                measured="1 address for 2 nodes",
                bound="an address for each node",
                fix="give each an address of its own"
                if own
                else "write {name} into host, where the node's name belongs",
            )

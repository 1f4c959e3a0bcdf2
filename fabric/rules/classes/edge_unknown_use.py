"""A class with ``edge`` has somebody to talk to.

What it does
    Takes the hosts whose ports carry a class that names ``edge``, and asks whether two of them can reach one another
    over the cables of the fabric. Reports also a role of ``edge`` without a single host, and ``edge`` of ``default``.

Why
    A class is of use between two hosts that carry it. Where only one does, or where those that do hang on different
    fabrics, its queue, pause and buffers are set aside on every switch for packets that never come. ``default`` is
    where everything goes that a port does not carry; every port has it, whatever ``edge`` says.

Fails
    ``storage: {edge: [storage], ...}`` with one host of role ``storage``; ``edge: [gpu, backup]`` where all hosts of
    ``gpu`` are on other leaves and spines than those of ``backup``, and each role has one host.

Passes
    ``edge: [storage]`` with two storage servers; a class without ``edge``.

Options
    None.

Known limits
    Hosts that are planned, or removed, are not counted. Whether routes exist is not asked, only cables.

Source
    Own reasoning: a class takes buffers on every port that carries it (headroom grows with the number of lossless
    classes), so one that carries nothing is better not there.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from fabric.analysis.edges import hosts_by_role
from fabric.analysis.joined import joined
from fabric.design.classes import DEFAULT
from fabric.design.model import Design, TrafficClass
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per class whose ``edge`` leaves it without two hosts that reach one another."""
    if document.intent.classes[DEFAULT].edge is not None:
        yield Violation(
            path=f"classes.{DEFAULT}.edge",
            message=f"edge of class {DEFAULT} has no effect: every port carries it",
            measured="edge",
            bound="no edge",
            fix=f"take edge away from {DEFAULT}",
        )
    hosts, parts = hosts_by_role(design), _parts(design.network)
    for found in design.classes:
        if found.edge is not None:
            yield from _judged(found, hosts, parts)


def _judged(found: TrafficClass, hosts: Mapping[str, tuple[str, ...]], parts: Mapping[str, str]) -> Iterator[Violation]:
    path = f"classes.{found.name}.edge"
    for role in found.edge or ():
        if not hosts.get(role):
            yield Violation(
                path=path,
                message=f"class {found.name} is carried to {role}, and no host is of that role",
                measured="0 hosts",
                bound="at least 1 host",
                fix=f"take {role} out of edge, or add hosts of role {role}",
            )
    members = dict.fromkeys(host for role in found.edge or () for host in hosts.get(role, ()))
    sizes: dict[str, int] = {}
    for host in members:
        sizes[parts[host]] = sizes.get(parts[host], 0) + 1
    most = max(sizes.values(), default=0)
    if members and most < 2:
        said = f"{len(members)} hosts that no cables join" if len(members) > 1 else "1 host alone"
        yield Violation(
            path=path,
            message=f"class {found.name} is carried by {said}: nobody can send it to anybody",
            measured=f"{most} host",
            bound="at least 2 hosts that reach one another",
            fix=f"add the role of those that it talks to, or take class {found.name} away",
        )


def _parts(network: Network) -> Mapping[str, str]:
    """Return each node with the one that stands for its part of the network: those that cables join."""
    alone = ((name, name) for name in network.nodes)
    return joined(chain(alone, ((link.a.node, link.b.node) for link in network.links)))

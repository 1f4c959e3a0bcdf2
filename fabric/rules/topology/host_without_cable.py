"""Every host is cabled, with all ports of its NICs.

What it does
    Reports hosts without any cable as errors, and hosts of which some NIC ports have none as warnings. Hosts that are
    not there yet are left out. So are ports that are without a cable because their leaf was removed, unless they were
    all that the host had.

Why
    A list of cables that forgets a line is a list without a mistake in it: nothing else says that a host is missing.
    It is then given neither addresses nor settings, and is noticed when a job waits for it; a NIC that is left out
    makes its host the slowest of the job.

Fails
    ``cables.csv`` has no line for gpu04. It has lines for seven of the eight NICs of gpu03.

Passes
    One cable for each port of each NIC. A host of ``state: planned`` without any.

Options
    None.

Known limits
    Where a generated cable may have led to a removed leaf, missing ports are not counted. NIC ports that are left empty
    on purpose are to be left out of ``nics`` or ``ports``, or waived.

Source
    Counted against ``topology.hosts``: NICs times ports, those of ``of`` included.

Since
    0.1
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.intent.sections.topology import Cable
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network, Node

SEVERITY = Severity.WARNING


def check(document: Document, design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per host without cables, or with fewer than it has NIC ports."""
    listed = _listed(document)
    excused = _led_to_removed(document, design)
    hosts = document.intent.topology.hosts
    for name, node in network.nodes.items():
        if node.kind != "host" or node.state == "planned":
            continue
        roles = _roles(document, node)
        wanted = sum(hosts[role].nics * hosts[role].ports for role in roles)
        cabled = {own.port for _, own, _ in network.links_of[name]}
        if not cabled:
            yield _none(name, wanted)
            continue
        known = cabled | listed.get(name, set())
        if excused.isdisjoint(roles) and len(known) < wanted:
            missing = [port for port in design.interfaces.get(name, ()) if port not in known]
            yield _some(name, missing, (len(cabled), wanted))


def _listed(document: Document) -> Mapping[str, set[str]]:
    """Return the ports that lists name, by node: lines to removed leaves are no cables, and were not forgotten."""
    found: dict[str, set[str]] = {}
    for line in document.cables:
        found.setdefault(line.from_node, set()).add(line.from_port)
        found.setdefault(line.to_node, set()).add(line.to_port)
    return found


def _led_to_removed(document: Document, design: Design) -> frozenset[str]:
    """Return the host roles that are cabled, without a list, to a switch role of which a place was removed."""
    entries = [entry for entry in document.intent.topology.cables if isinstance(entry, Cable)]
    return frozenset(
        entry.from_
        for entry in entries
        if any(re.fullmatch(rf"(p[0-9]+-)?{re.escape(entry.to)}[0-9]+", place) for place in design.removed)
    )


def _roles(document: Document, node: Node) -> tuple[str, ...]:
    """Return the host roles that describe the NICs of a host."""
    hosts = document.intent.topology.hosts
    return tuple(name for name, role in hosts.items() if node.role in {name, role.of})


def _none(name: str, wanted: int) -> Violation:
    return Violation(
        path=f"{name}.links",
        message=f"{name} has no cable at all: it is no part of the fabric",
        measured=f"0 of {wanted} NIC ports",
        bound="a cable for every NIC port",
        fix="add its cables to the list, or give it state: planned while they are missing",
        severity=Severity.ERROR,
    )


def _some(name: str, missing: Sequence[str], ports: tuple[int, int]) -> Violation:
    cabled, wanted = ports
    which = f": {', '.join(missing)} without" if missing else ""
    return Violation(
        path=f"{name}.links",
        message=f"{name} has cables for {cabled} of its {wanted} NIC ports{which}",
        measured=f"{cabled} of {wanted} NIC ports",
        bound="a cable for every NIC port",
        fix="add the missing cables to the list, or describe fewer NICs in topology.hosts",
    )

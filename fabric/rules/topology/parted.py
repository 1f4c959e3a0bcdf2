"""All hosts of a role can reach each other.

What it does
    Follows the cables between switches that are there (not planned, not removed), and reports hosts of one role that
    no path joins with the others. Hosts in different planes are not compared, nor are pods where no switch role stands
    above them.

Why
    Jobs run on hosts of one role. Where their leaves have no switch in common the fabric is several fabrics, and jobs
    that span them do not start. Rules that compare switches with each other see nothing when all have lost the same.

Fails
    ``nodes: {"spine*": {state: planned}}`` with hosts on two groups of leaves.

Passes
    Spines above all leaves. Rails without spines, where each host has a NIC on every leaf. A storage network of its own
    beside the network for compute.

Options
    None.

Known limits
    Ports that are switched off, and switches in maintenance, count as paths. Whether routes lead along the cables is
    for checks on devices to see. Hosts of different roles are not compared, as they may be meant to be apart.

Source
    Clos, A study of non-blocking switching networks, 1953 (a path between every two edges).

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from fabric.analysis.joined import joined
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.ERROR

Key: TypeAlias = tuple[str, int | None, frozenset[int | None]]


def check(document: Document, network: Network) -> Iterator[Violation]:
    """Yield one violation per part but the largest, for hosts that are to be in one."""
    apart = all(role.per == "pod" for role in document.intent.topology.switches.values())
    areas = _areas(network)
    groups: dict[Key, list[str]] = {}
    for name in areas:
        node = network.nodes[name]
        planes = frozenset(network.nodes[leaf].plane for leaf in _leaves(network, name))
        groups.setdefault((node.role, node.pod if apart else None, planes), []).append(name)
    for (role, _, _), hosts in groups.items():
        parts = sorted(_parts(hosts, areas), key=len, reverse=True)
        for part in parts[1:]:
            yield _violation(network, role, (part, parts[0]), len(parts))


def _areas(network: Network) -> Mapping[str, frozenset[str]]:
    """Return for each host with cables the networks of switches that it is in; each is named by one switch."""
    there = {name for name, node in network.nodes.items() if node.kind == "switch" and node.state != "planned"}
    cables = ((link.a.node, link.b.node) for link in network.links if link.a.node in there and link.b.node in there)
    area = joined(chain(((name, name) for name in there), cables))
    return {
        name: frozenset(area[leaf] for leaf in _leaves(network, name) if leaf in there)
        for name, node in network.nodes.items()
        if node.kind == "host" and node.state != "planned" and network.links_of[name]
    }


def _leaves(network: Network, host: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(far.node for _, _, far in network.links_of[host]))


def _parts(hosts: Sequence[str], areas: Mapping[str, frozenset[str]]) -> Sequence[Sequence[str]]:
    """Return hosts, in order, in parts: those that share a network of switches, directly or in turns."""
    part = joined((host, each) for host in hosts for each in (host, *areas[host]))
    parts: dict[str, list[str]] = {}
    for host in hosts:
        parts.setdefault(part[host], []).append(host)
    return tuple(parts.values())


def _violation(network: Network, role: str, parts: tuple[Sequence[str], Sequence[str]], count: int) -> Violation:
    (first, *others), (other, *_) = parts
    more = f" (and {len(others)} more of the role {role})" if others else ""
    return Violation(
        path=f"{first}.links",
        message=f"no path leads from {first}{more} to {other}: "
        f"no switch that is there joins {_leaves(network, first)[0]} with {_leaves(network, other)[0]}",
        measured=f"{count} parts",
        bound="1 part",
        fix="cable their leaves to a common switch that is there, or give the hosts state: planned until then",
    )

"""Planes do not meet.

What it does
    Reports cables between switches of different planes, and NIC ports that land in another plane than the same port of
    other hosts does.

Why
    A plane is a network of its own, so that what fails in one leaves the others alone. A cable across makes routes of
    one plane appear in the other. A NIC port in the wrong plane has no way at all to its partners: RDMA between port 1
    of two hosts hangs although every link is up.

Fails
    A list cables a leaf of plane 1 to a superspine of plane 2; nic1p1 of gpu03 is on a leaf of plane 2, and nic1p1 of
    all others on one of plane 1.

Passes
    Port p of every NIC is in plane p; every switch has cables to switches of its own plane only.

Options
    None.

Known limits
    Switches that belong to no plane join planes on purpose (leaves under spines that are spread over planes of
    superspines) and are not judged. Bonds reach all planes of their leaves.

Source
    Qian et al., Alibaba HPN: A Data Center Network for Large Language Model Training, SIGCOMM 2024, section 5 (planes
    that do not meet, and why). Catalogue code B09.

Since
    0.1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import gcd

from fabric.design.model import Design, Rail
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Link, Network

SEVERITY = Severity.ERROR


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per cable across planes, then one per NIC port in another plane than most."""
    planes: dict[str, int] = {}
    for node in network.nodes.values():
        if node.plane is not None:
            planes[node.role] = max(node.plane, planes.get(node.role, 0))
    if planes:
        for link in network.links:
            if _across(network, planes, link):
                yield _crossing(network, link)
        yield from _legs(network, design)


def _across(network: Network, planes: Mapping[str, int], link: Link) -> bool:
    """Tell whether the planes of both ends differ; where the roles have different numbers of planes, modulo both."""
    low, high = network.nodes[link.a.node], network.nodes[link.b.node]
    if low.plane is None or high.plane is None:
        return False
    shared = gcd(planes[low.role], planes[high.role])
    return (low.plane - high.plane) % shared != 0


def _crossing(network: Network, link: Link) -> Violation:
    low, high = network.nodes[link.a.node], network.nodes[link.b.node]
    return Violation(
        path=f"{link.a.node}.links.{link.a.port}",
        message=f"the cable between {link.a} (plane {low.plane}) and {link.b} (plane {high.plane}) joins two planes",
        measured=f"planes {low.plane} and {high.plane}",
        bound="one plane",
        fix=f"cable {link.a} to a switch of plane {low.plane}",
    )


def _legs(network: Network, design: Design) -> Iterator[Violation]:
    lands: dict[tuple[str, int, int], list[tuple[Rail, int]]] = {}
    for rail in design.rails:
        plane = network.nodes[rail.leaf].plane if rail.leaf in network.nodes and len(rail.leaves) < 2 else None
        if plane is not None:
            lands.setdefault((rail.role, rail.rail, rail.leg), []).append((rail, plane))
    for rows in lands.values():
        usual = Counter(plane for _, plane in rows).most_common(1)[0][0]
        for rail, plane in rows:
            if plane != usual:
                yield Violation(
                    path=f"{rail.node}.links.{rail.port}",
                    message=f"{rail.node}:{rail.port} is in plane {plane} ({rail.leaf}), and that port of most hosts "
                    f"in plane {usual}: they cannot reach each other",
                    measured=f"plane {plane}",
                    bound=f"plane {usual}",
                    fix=f"cable {rail.node}:{rail.port} to a leaf of plane {usual}",
                )

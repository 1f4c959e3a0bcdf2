"""What hosts mark as RDMA is RDMA where it enters the fabric.

What it does
    Takes the DSCP that each NIC port gives its RDMA traffic, and follows it through the map of the leaf's port at the
    other end: it must end in the priority of the RDMA class that has this DSCP.

Why
    A NIC marks, a leaf sorts. Where the two disagree, RDMA goes into another queue than the one that was made for it:
    lossless traffic is dropped like any other, or it pauses a class that has nothing to do with it. Each side alone
    looks right.

Fails
    gpu01:eth1 marks DSCP 10, and DSCP 10 is of class ``bulk``; or leaf01 maps DSCP 26 of gpu01 to priority 0.

Passes
    gpu01:eth1 marks DSCP 26, and leaf01:swp1 maps DSCP 26 to the priority of class ``rdma``.

Options
    None.

Known limits
    Ports that mark nothing, or that do not classify, are not judged. A class that jobs are told to use, and that does
    not carry RDMA, is for jobs.class-not-rdma. What an application sets for itself (such as NCCL_IB_TC) is not seen
    here.

Source
    IBTA RoCEv2 annex A17 (the traffic class of the address handle is that of the IP header). Catalogue codes D05, I10.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.ends import several
from fabric.design.classes import owners
from fabric.design.model import Design, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.maps import Maps
from fabric.settings.network import End, Network, Node
from fabric.settings.nic import Nic

SEVERITY = Severity.ERROR

Wrong = dict[tuple[str, str, str, str], list[str]]


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per host and way in which its marks go wrong."""
    owner = owners(design.classes)
    jobs = frozenset(design.job_classes.values())
    for node in network.nodes.values():
        if node.kind == "host":
            for (what, measured, bound, fix), ports in _wrong(network, node, owner, jobs).items():
                yield Violation(
                    path=f"{node.name}.nic.{ports[0]}",
                    message=f"{what}: {several([End(node.name, port) for port in ports])}",
                    measured=measured,
                    bound=bound,
                    fix=fix,
                )


def _wrong(network: Network, node: Node, owner: Mapping[int, TrafficClass], jobs: frozenset[str]) -> Wrong:
    far = {near.port: end for _, near, end in network.links_of[node.name]}
    found: Wrong = {}
    for port, row in node.settings.rows(Nic).items():
        if isinstance(row.traffic_class, Absent):
            continue
        dscp = row.traffic_class // 4
        of = owner[dscp]
        if not of.rdma and of.name not in jobs:
            said = (
                f"RDMA is marked with DSCP {dscp}, which is of class {of.name}",
                f"DSCP {dscp} in class {of.name}",
                "the DSCP of an RDMA class",
                "set the NIC to the mark of its RDMA class",
            )
            found.setdefault(said, []).append(port)
            continue
        end = far.get(port)
        maps = network.nodes[end.node].settings.rows(Maps).get(end.port) if end is not None else None
        if end is not None and maps is not None and maps.dscp_to_priority[dscp] != of.priority:
            priority = maps.dscp_to_priority[dscp]
            said = (
                f"RDMA is marked with DSCP {dscp} of class {of.name}, and {end.node} sorts it into priority {priority}",
                f"priority {priority}",
                f"priority {of.priority}",
                f"map DSCP {dscp} to priority {of.priority} on {end.node}",
            )
            found.setdefault(said, []).append(port)
    return found

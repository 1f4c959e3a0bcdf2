"""Connections that ask for nothing are RDMA of the right class.

What it does
    Looks at what RDMA-CM gives to connections of programs that ask for nothing: RoCE v2, and a type of service whose
    DSCP is one of an RDMA class that the port carries.

Why
    Version 1 of RoCE has no IP header: it ends at the first router, and a connection never comes up. The type of
    service is 0 from the factory, and again after each reboot: storage and many tools then send RDMA with DSCP 0, in
    the class of everything else, where it is dropped.

Fails
    ``cma_roce_mode`` says IB/RoCE v1. ``cma_roce_tos`` says 0, and class rdma has DSCP 26.

Passes
    RoCE v2 and a type of service of 104 or 106, with DSCP 26.

Options
    None.

Known limits
    Where the NIC marks all of its RDMA with the same DSCP, that is for classes.mark-not-carried. Ports of which it is
    not known are not judged. What an application asks for itself is not seen here. The two ECN bits of the type of
    service are added by the NIC.

Source
    Linux, RDMA-CM (``default_roce_mode`` and ``default_roce_tos`` in configfs, 0 where nothing is set); IBTA annex A17
    (RoCEv2 is routable). Catalogue code J07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import role_of_port
from fabric.design.model import Design, TrafficClass
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network
from fabric.settings.nic import Nic, NicPort

SEVERITY = Severity.ERROR

Said = tuple[str, str, str, str]


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per NIC port and thing that RDMA-CM would do wrong there."""
    roles = role_of_port(design)
    fitting = {
        role: tuple(found for found in design.classes if found.rdma and found.carried(role))
        for role in (None, *dict.fromkeys(roles.values()))
    }
    for name, node in network.nodes.items():
        for port, row in node.settings.rows(Nic).items():
            for what, measured, bound, fix in _wrong(row, fitting[roles.get(End(name, port))]):
                yield Violation(f"{name}.nic.{port}", f"{name}:{port}: {what}", measured, bound, fix)


def _wrong(row: NicPort, fitting: tuple[TrafficClass, ...]) -> Iterator[Said]:
    if row.cm_mode == "v1":
        what = "connections of RDMA-CM are RoCE v1, which routers do not pass on"
        yield what, "RoCE v1", "RoCE v2", "set the default mode of RDMA-CM to RoCE v2, such as cma_roce_mode -m 2"
    if isinstance(row.cm_tos, Absent) or not fitting:
        return
    dscp = row.cm_tos // 4
    marked = not isinstance(row.traffic_class, Absent) and row.traffic_class // 4 == dscp
    if not marked and not any(dscp in found.dscps for found in fitting):
        wanted = next((found.mark for found in fitting if found.mark is not None), fitting[0].dscps[0])
        what = f"connections of RDMA-CM get type of service {row.cm_tos}, DSCP {dscp}, which is of no RDMA class here"
        fix = f"set the default type of service of RDMA-CM, such as cma_roce_tos -t {4 * wanted + 2}"
        yield what, f"DSCP {dscp}", f"the DSCP of an RDMA class, such as {wanted}", fix

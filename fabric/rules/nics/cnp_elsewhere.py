"""NICs send notifications in the class that is made for them.

What it does
    Where there is a class ``cnp``, follows the DSCP that each NIC port was found to give its congestion notifications:
    it must be of that class.

Why
    Makers, and tools of makers, choose different DSCPs: 48 here, 46 there, 4 in one operator for Kubernetes. A
    notification with another DSCP waits in an ordinary queue behind the traffic that it is about, and its sender goes
    on at full speed.

Fails
    gpu01:ens1np0 was found with ``cnp_dscp`` 4, and class ``cnp`` has DSCP 48.

Passes
    48, or any other DSCP of class ``cnp``.

Options
    None.

Known limits
    What the file itself says of a driver is for classes.cnp-dscp. Ports of which it is not known are not judged.

Source
    RoCE presets of NVIDIA (CNP with DSCP 48); Mellanox/nic-configuration-operator (CNP_DSCP 4). Catalogue code D05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.design.classes import CNP, DEFAULT
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network
from fabric.settings.nic import Nic

SEVERITY = Severity.ERROR


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per host and DSCP that is of another class, at the first port that has it."""
    cnp = next((found for found in design.classes if found.name == CNP), None)
    if cnp is None:
        return
    for name, node in network.nodes.items():
        wanted = design.network.nodes[name].settings.rows(Nic) if name in design.network.nodes else {}
        found: dict[int, list[End]] = {}
        for port, row in node.settings.rows(Nic).items():
            meant = port in wanted and row.cnp_dscp == wanted[port].cnp_dscp
            if not meant and not isinstance(row.cnp_dscp, Absent) and row.cnp_dscp not in cnp.dscps:
                found.setdefault(row.cnp_dscp, []).append(End(name, port))
        for dscp, ends in found.items():
            owner = next(each.name for each in design.classes if dscp in each.dscps)
            free = f", or add {dscp} to cnp" if owner == DEFAULT else ""
            yield Violation(
                path=f"{name}.nic.{ends[0].port}",
                message=f"{several(ends)}: CNPs leave with DSCP {dscp}, which is of class {owner}",
                measured=f"DSCP {dscp} in class {owner}",
                bound="a DSCP of class cnp",
                fix=f"set the DSCP of CNPs to {cnp.dscps[0] if cnp.mark is None else cnp.mark}{free}",
            )

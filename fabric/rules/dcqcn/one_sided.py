"""Both halves of DCQCN are on, at every NIC that carries the class.

What it does
    Looks at NIC ports that carry a class whose congestion control is DCQCN, where it is known what is enabled: the
    notification point (NP), which answers marks with CNPs, and the reaction point (RP) of the class's priority, which
    slows down.

Why
    A NIC whose notification point is off keeps marks to itself: nobody who sends to it slows down. One whose reaction
    point is off takes CNPs and goes on: it gets what others give up. Both look healthy on an idle fabric.

Fails
    A NIC port with NP off; one with RP on for priority 0 alone, where the class has priority 3.

Passes
    NP on and RP on for priority 3; RP on for priorities 0 to 7, as NVIDIA NICs come.

Options
    None.

Known limits
    The intent says nothing of either, so only what was read is judged. NP is one switch per port: it has no
    priorities. Where NICs run another control on top (programmable congestion control), these switches may have no
    effect, and only counters tell.

Source
    NVIDIA DOCA documentation, DCQCN CC Parameters: ROCE_CC_PRIO_MASK and the files roce_np/enable, roce_rp/enable.
    DCQCN (SIGCOMM 2015) for the roles. Catalogue code I01.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.edges import role_of_port
from fabric.analysis.ends import listed
from fabric.analysis.nic_kinds import NicRow, nic_rows
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(design: Design, network: Network) -> Iterator[Violation]:
    """Yield one violation per NIC port and half of DCQCN that is off there."""
    controlled = [found for found in design.classes if found.rdma and found.congestion == "dcqcn"]
    roles = role_of_port(design) if controlled else {}
    for each in nic_rows(network):
        wanted = frozenset(found.priority for found in controlled if found.carried(roles.get(each.end)))
        if wanted:
            yield from _judged(each, wanted)


def _judged(each: NicRow, wanted: frozenset[int]) -> Iterator[Violation]:
    if each.row.np is False:
        yield Violation(
            path=each.path,
            message=f"{each.end} receives marked packets and sends no CNPs: those who send to it do not slow down",
            measured="np off",
            bound="np on",
            fix="enable the notification point of the port (roce_np/enable)",
        )
    if not isinstance(each.row.rp, Absent) and not wanted <= each.row.rp:
        yield Violation(
            path=each.path,
            message=f"{each.end} does not slow down on CNPs for {listed(wanted - each.row.rp)}",
            measured=f"rp on for {listed(each.row.rp)}",
            bound=f"rp on for {listed(wanted)}",
            fix="enable the reaction point of these priorities (roce_rp/enable, ROCE_CC_PRIO_MASK)",
        )

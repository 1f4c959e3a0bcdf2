"""Tunnels of tenants carry the marks of what is in them.

What it does
    Looks, on switches with ports that mark (ECN) or pause (PFC), at what each tenant's tunnels do with DSCP and ECN:
    both are to be copied into the outer header, and what was marked on the way comes back into the inner one.

Why
    Spines see the outer header only. Without its DSCP there, RDMA crosses them in the class ``default``, where it is
    dropped when the others are full. Without ECN there they cannot mark at all: senders never slow down, until PFC
    stops them, or packets are lost.

Fails
    Tenant blue of leaf01, whose tunnels set DSCP 0 in the outer header (pipe), or do not copy ECN.

Passes
    Uniform DSCP and copied ECN; tenants whose tunnels nobody has read; switches on which nothing marks or pauses.

Options
    None.

Known limits
    A design does not say what tunnels do, so this is asked of what devices report. A tunnel that maps DSCP to others
    both ways would do as well, and is not known here.

Source
    RFC 6040 sections 4.1 and 4.2 (ECN copied in, and combined on the way out); RFC 2983 section 3 (uniform and pipe).
    Catalogue code D09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.ecn import Ecn
from fabric.settings.network import Network, Node
from fabric.settings.pfc import Pfc
from fabric.settings.tenants import Tenants

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per tenant of a switch whose tunnels lose DSCP or ECN."""
    for node in network.nodes.values():
        rows = node.settings.rows(Tenants)
        for name, row in rows.items() if rows and _cares(node) else ():
            lost = [what for what, kept in (("DSCP", row.dscp_copied), ("ECN", row.ecn_copied)) if kept is False]
            if lost:
                said = " and ".join(lost)
                yield Violation(
                    path=f"{node.name}.tenants.{name}",
                    message=f"tunnels of tenant {name} on {node.name} do not copy {said} into the outer header: "
                    f"{'switches on the way do not know its class' if 'DSCP' in lost else 'no switch can mark it'}",
                    measured=f"{said} not copied",
                    bound="DSCP and ECN copied",
                    fix="set the tunnel to uniform DSCP and to copy ECN, both ways",
                )


def _cares(node: Node) -> bool:
    """Tell whether some port of a switch pauses or marks a class."""
    settings = node.settings
    return any(row.priorities for row in settings.rows(Pfc).values()) or any(
        row.queues for row in settings.rows(Ecn).values()
    )

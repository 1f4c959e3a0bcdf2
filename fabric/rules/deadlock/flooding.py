"""No layer-2 subnet with a lossless class spans several switches.

What it does
    Looks for ports between switches that belong to a VLAN and pause a priority.

Why
    Frames to a MAC address that a switch has forgotten are sent to all ports of the VLAN. Between switches they go
    everywhere, along ways that no route would take, up from below and down from above at once, so that lossless buffers
    wait for each other in a circle. That happens as soon as a host falls silent while its address is still known to
    those who send to it.

Fails
    ``vlan100`` on the ports of a leaf to its spines, with PFC there.

Passes
    The same VLAN on host ports of one leaf, or of several leaves with routed links between them: what is flooded stays
    within each. A VLAN between switches without a lossless class.

Options
    None.

Known limits
    VLANs with a tag, VXLAN between switches, and whether a switch drops unknown unicast of the class are not known.

Source
    Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.2 (deadlock by flooding of lossless
    packets). Catalogue code C07.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import listed
from fabric.analysis.logical import bond_of
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.settings.pfc import Pfc
from fabric.settings.vlans import Vlans

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port towards another switch that is in a VLAN and pauses a priority."""
    for name, node in network.nodes.items():
        vlans, pauses = node.settings.rows(Vlans), node.settings.rows(Pfc)
        bonds = bond_of(node) if vlans else {}
        for _, own, far in network.links_of[name] if vlans and node.kind == "switch" else ():
            vlan = vlans.get(own.port) or vlans.get(bonds.get(own.port, ""))
            pause = pauses.get(own.port)
            if vlan is None or pause is None or not pause.priorities or network.nodes[far.node].kind != "switch":
                continue
            yield Violation(
                path=f"{name}.vlans.{own.port}",
                message=f"{own} carries VLAN {vlan.id} to the switch {far.node}, and pauses "
                f"{listed(pause.priorities)}: what is flooded can wait in a circle",
                measured=f"VLAN {vlan.id} with a lossless class between 2 switches",
                bound="a layer-2 subnet within 1 switch",
                fix="route between switches, and keep the VLAN on ports of hosts",
            )

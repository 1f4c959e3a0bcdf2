"""A switch can send up what it receives from below.

What it does
    Adds up, for each switch with links both ways, the speed of its links downwards and upwards, and reports where down
    divided by up is above the bound: 1.0 where RDMA may come from below, 3.0 where it does not. Every tier is judged,
    and each speed counts as it is. Links that are switched off do not count.

Why
    In the collective phases of training all hosts send at once. What does not fit through the uplinks fills the
    leaf's buffer, which then pauses its hosts: the job runs at the speed of the uplinks and every neighbour waits
    with it.

Fails
    A leaf with 16 hosts at 400G and 8 uplinks at 400G: 2.0.

Passes
    16 times 400G down and 16 times 400G up: 1.0.

Options
    None yet; the bound follows from the classes: a leaf whose hosts' ports carry no RDMA class (``edge``) has that of
    3.0.

Known limits
    Traffic that stays below one leaf (rail-local) is not subtracted. Losing a spine is for topology.losing-one-spine.
    Ports of a NIC that are there for its other port to fail count as well.

Source
    Al-Fares et al., A scalable, commodity data center network architecture, SIGCOMM 2008, section 2.1 (what
    oversubscription is, and its price); Gangidi et al., RDMA over Ethernet for distributed AI training at Meta scale,
    SIGCOMM 2024 (why training wants 1:1 or better). 3.0 for fabrics without RDMA is a choice of ours. Catalogue code
    B05.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from fabric.analysis.edges import role_of_port
from fabric.analysis.tiers import speeds
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per switch whose links downwards are faster than those upwards allow."""
    up, down = speeds(network)
    roles = role_of_port(design)
    for name, node in network.nodes.items():
        if node.kind != "switch" or not up[name]:
            continue
        bound = Fraction(1 if _rdma(network, design, roles, name) else 3)
        if Fraction(down[name], up[name]) > bound:
            yield Violation(
                path=f"{name}.links",
                message=f"{name} takes {format_speed(down[name])} from below and can send {format_speed(up[name])} up",
                measured=f"{float(Fraction(down[name], up[name])):.2f}",
                bound=f"{float(bound):.1f}",
                fix=f"add {format_speed(int(down[name] / bound) - up[name])} of uplinks, or attach fewer hosts",
            )


def _rdma(network: Network, design: Design, roles: Mapping[End, str], name: str) -> bool:
    """Tell whether RDMA may come to a switch from below: on a leaf, whether ports of its hosts carry such a class."""
    classes = [each for each in design.classes if each.rdma]
    tier = network.nodes[name].tier
    below = {roles.get(far) for _, _, far in network.links_of[name] if not network.nodes[far.node].tier}
    return bool(classes) and (tier > 1 or any(each.carried(role) for each in classes for role in below))

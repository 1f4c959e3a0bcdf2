"""The NICs are no more than switches of this size can join.

What it does
    Where a class carries RDMA, compares the speed of all NIC ports with the most that tiers of such switches can join
    without oversubscription: with k links of the NICs' speed on each switch, k x k / 2 in two tiers and k x k x k / 4
    in three, once for each plane.

Why
    Beyond that no choice of counts and cables gives every NIC its full speed. What is needed is a further tier, larger
    switches, or planes; the earlier that is known, the cheaper it is.

Fails
    600 NICs of 10G over two tiers of switches with 32 ports of 10G: 512.

Passes
    512 NICs over the same switches.

Options
    None.

Known limits
    Switches that are smaller than others of their tier, and host roles with other speeds, make the real limit lower. A
    single tier has no limit here: its ports are counted by cabling.port-beyond-model.

Source
    Al-Fares et al., A scalable, commodity data center network architecture, SIGCOMM 2008, section 3 (k ports: k^3 / 4
    hosts in three tiers). Catalogue code B07.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from fabric.analysis.limits import model_of
from fabric.design.model import Design
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation when the NICs are more than the switches can join at full speed."""
    edge = [link.speed for link in network.links if network.nodes[link.a.node].kind == "host"]
    top = max((node.tier for node in network.nodes.values()), default=0)
    if not edge or top < 2 or not any(each.rdma for each in design.classes):
        return
    speed = max(edge)
    sizes = [_links(network, tier, speed) for tier in range(1, top + 1)]
    if not all(sizes):
        return
    planes = max((node.plane or 1 for node in network.nodes.values() if node.tier == 1), default=1)
    most = planes * prod(sizes[:-1]) // 2 ** (top - 1) * sizes[-1]
    if sum(edge) > most * speed:
        yield Violation(
            path="topology",
            message=f"{len(edge)} NIC ports are more than {top} tiers of these switches can join at full speed",
            measured=f"{format_speed(sum(edge))}",
            bound=f"{most} times {format_speed(speed)}",
            fix="add a tier or planes, choose larger switches, or attach fewer hosts",
        )


def _links(network: Network, tier: int, speed: int) -> int:
    """Return how many links of a speed (bit/s) the largest switch of a tier has; 0 where that is not known."""
    models = {node.model: model_of(node) for node in network.nodes.values() if node.tier == tier}
    known = [model for model in models.values() if isinstance(model, SwitchModel)]
    return max((max(_fitting(model, speed)) for model in known), default=0) if len(known) == len(models) else 0


def _fitting(model: SwitchModel, speed: int) -> Iterator[int]:
    yield model.ports
    yield from (model.ports * ways for ways, speeds in model.breakouts.items() if speed in speeds)

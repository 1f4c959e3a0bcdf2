"""What the model of a node allows, as the hardware data says; ``None`` where nothing is known."""

from __future__ import annotations

from fabric.hardware import lookup
from fabric.hardware.models import NicModel, SwitchModel
from fabric.settings.network import Node


def model_of(node: Node) -> SwitchModel | NicModel | None:
    """Return the switch model of a switch and the NIC of a host; ``None`` when there is no data for it."""
    if node.kind == "host":
        return lookup.nic(node.model) if node.model in lookup.nics() else None
    known = node.model in lookup.switches() or node.model.startswith("generic-")
    return lookup.switch(node.model) if known else None


def speeds_of(node: Node) -> tuple[int, ...]:
    """Return the speeds (bit/s, ascending) that the ports of this node can run at; none when they are not known."""
    model = model_of(node)
    return model.speeds if model else ()


def largest_mtu(node: Node) -> int | None:
    """Return the largest IP MTU (bytes) that this node's system accepts."""
    model = model_of(node)
    if isinstance(model, SwitchModel):
        return model.max_mtu(node.system)
    return model.max_mtu if model else None

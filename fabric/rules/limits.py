"""What the model of a node allows, as the hardware data says; ``None`` where nothing is known."""

from __future__ import annotations

from functools import cache

from fabric.hardware import lookup
from fabric.hardware.models import NicModel, SwitchModel
from fabric.settings.network import Kind, Node


def model_of(node: Node) -> SwitchModel | NicModel | None:
    """Return the switch model of a switch and the NIC of a host; ``None`` when there is no data for it."""
    return _model(node.kind, node.model)


@cache
def _model(kind: Kind, model: str) -> SwitchModel | NicModel | None:
    if kind == "host":
        return lookup.nic(model) if model in lookup.nics() else None
    known = model in lookup.switches() or model.startswith("generic-")
    return lookup.switch(model) if known else None


def largest_mtu(node: Node) -> int | None:
    """Return the largest IP MTU (bytes) that the system of a switch accepts; ``None`` for hosts."""
    model = model_of(node)
    return model.max_mtu(node.system) if isinstance(model, SwitchModel) else None

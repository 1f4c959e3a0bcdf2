"""What the model of a node allows, as the hardware data says; ``None`` where nothing is known."""

from __future__ import annotations

from functools import cache

from fabric.hardware import lookup
from fabric.hardware.models import NicModel, SwitchModel
from fabric.settings.facet import Absent
from fabric.settings.network import Kind, Network, Node
from fabric.settings.nic import Nic

RDMA_HEADERS = 82
"""Bytes around the payload of an RDMA packet: Ethernet, a VLAN tag, IPv4, UDP, BTH, RETH, ICRC and FCS."""

RDMA_MTUS = (256, 512, 1024, 2048, 4096)
"""Bytes that an RDMA packet can be set to carry."""


def model_of(node: Node) -> SwitchModel | NicModel | None:
    """Return the switch model of a switch and the NIC of a host; ``None`` when there is no data for it."""
    return _model(node.kind, node.model)


@cache
def _model(kind: Kind, model: str) -> SwitchModel | NicModel | None:
    if kind == "host":
        return lookup.nic(model) if model in lookup.nics() else None
    known = model in lookup.switches() or model.startswith("generic-")
    return lookup.switch(model) if known else None


def chipless(model: SwitchModel) -> bool:
    """Tell whether a model has no switch chip at all, as a server that routes; a generic switch has one."""
    return model.asic == "none" and not model.name.startswith("generic-")


def largest_mtu(node: Node) -> int | None:
    """Return the largest IP MTU (bytes) that the system of a switch accepts; ``None`` for hosts."""
    model = model_of(node)
    return model.max_mtu(node.system) if isinstance(model, SwitchModel) else None


def largest_rdma_mtu(network: Network) -> int:
    """Return the largest RDMA MTU (bytes) that a NIC port is set to; 0 where none is known."""
    rows = (row for node in network.nodes.values() for row in node.settings.rows(Nic).values())
    return max((row.rdma_mtu for row in rows if not isinstance(row.rdma_mtu, Absent)), default=0)


def roomiest(mtu: int) -> int:
    """Return the largest RDMA MTU (bytes) whose packets fit into an IP MTU; 0 where none does."""
    return max((each for each in RDMA_MTUS if fits(each, mtu)), default=0)


def fits(rdma_mtu: int, mtu: int) -> bool:
    """Tell whether RDMA packets fit into an IP MTU (bytes); where there are none (0) they do."""
    return not rdma_mtu or rdma_mtu + RDMA_HEADERS <= mtu

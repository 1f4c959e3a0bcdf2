"""NIC ports and their DCQCN parameters: row by row, and by what is alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric.analysis.fluid import Sender, mlx5
from fabric.analysis.limits import RDMA_HEADERS, RDMA_MTUS, model_of, roomiest
from fabric.hardware.dcqcn import DriverParameters, drivers, parameters
from fabric.hardware.models import NicModel
from fabric.settings.dcqcn import Dcqcn, Parameters
from fabric.settings.facet import Absent, Maybe
from fabric.settings.links import Links, Port
from fabric.settings.network import End, Network, Node, once
from fabric.settings.nic import Nic, NicPort

_USUAL_MTU = 1500
_NOTHING, _NO_NIC, _NO_PORT = Parameters(()), NicPort(), Port()


@dataclass(frozen=True, slots=True)
class NicKind:
    """NIC ports that are alike: speed in bit/s, what they are set to over what they come with, the first of them."""

    driver: str
    speed: int
    values: Mapping[str, int]
    sender: Sender
    first: End

    @property
    def path(self) -> str:
        """The path of the parameters of the first port."""
        return f"{self.first.node}.dcqcn.{self.first.port}"


@dataclass(frozen=True, slots=True)
class NicRow:
    """The DCQCN parameters of one NIC port: what is ``written``, its speed in bit/s, what is ``known`` of its driver.

    ``known`` is ``None`` where the parameters of the driver mean nothing to us.
    """

    end: End
    driver: str
    known: DriverParameters | None
    speed: int
    written: Mapping[str, int]
    row: Parameters

    @property
    def path(self) -> str:
        """The path of the row."""
        return f"{self.end.node}.dcqcn.{self.end.port}"

    def cause(self, name: str) -> str:
        """Return where the file gives a parameter."""
        return f"nic_settings.{self.driver}.dcqcn.{name}"

    @property
    def values(self) -> Mapping[str, int]:
        """What is written over what the NIC comes with."""
        return {**(self.known.defaults if self.known else {}), **self.written}


def driver_of(node: Node) -> str:
    """Return the driver of the NICs of a host; empty where it is not known."""
    model = model_of(node)
    return model.driver if isinstance(model, NicModel) else ""


def nic_rows(network: Network) -> Iterator[NicRow]:
    """Yield the NIC ports that have a row of DCQCN parameters, cabled ones alone."""
    for node in network.nodes.values():
        rows = node.settings.rows(Dcqcn) if node.kind == "host" else {}
        if not rows:
            continue
        driver = driver_of(node)
        known = parameters(driver) if driver in drivers() else None
        for link, own, _ in network.links_of[node.name]:
            row = rows.get(own.port)
            if row is not None:
                yield NicRow(own, driver, known, link.speed, dict(row.values), row)


@once
def nic_kinds(network: Network) -> tuple[NicKind, ...]:
    """Return the kinds of NIC ports whose parameters are known and within their ranges, by their first ports."""
    return tuple(_kinds(network))


def _kinds(network: Network) -> Iterator[NicKind]:
    first: dict[tuple[str, int, tuple[tuple[str, int], ...], int], End] = {}
    for node in network.nodes.values():
        driver = driver_of(node)
        if driver not in drivers():
            continue
        rows, ports, nics = node.settings.rows(Dcqcn), node.settings.rows(Links), node.settings.rows(Nic)
        for link, own, _ in network.links_of[node.name]:
            written = rows.get(own.port, _NOTHING).values
            packet = _packet(nics.get(own.port, _NO_NIC).rdma_mtu, ports.get(own.port, _NO_PORT).mtu)
            first.setdefault((driver, link.speed, written, packet), own)
    for (driver, speed, written, packet), own in first.items():
        known = parameters(driver)
        values = {**known.defaults, **dict(written)}
        if all(found.takes(values[name], speed) for name, found in known.named.items()):
            yield NicKind(driver, speed, values, mlx5(values, packet), own)


def _packet(rdma_mtu: Maybe[int], mtu: Maybe[int]) -> int:
    """Return the bytes of a full packet: of the RDMA MTU that is set, else of the largest that fits into the IP MTU.

    Where neither is known, of the RDMA MTU of an IP MTU of 1500.
    """
    if not isinstance(rdma_mtu, Absent):
        return rdma_mtu + RDMA_HEADERS
    return (roomiest(_USUAL_MTU if isinstance(mtu, Absent) else mtu) or RDMA_MTUS[0]) + RDMA_HEADERS

"""nodes: what is different on single nodes and ports."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from fabric.intent.names import CsvFile, InterfaceName, Name, NodeName, Word
from fabric.intent.prefixes import HostAddress, Loopbacks
from fabric.intent.quantities import Alpha, AsNumber, BytesOrAuto, Flag, IpMtu
from fabric.intent.sections.topology import Fec
from fabric.intent.strict import Strict

NodeState: TypeAlias = Literal["planned", "active", "maintenance", "removed"]


class PortIntent(Strict):
    """What is different on one port."""

    enabled: Annotated[Flag | None, Field(description="false: the port is shut")] = None
    mtu: Annotated[IpMtu | None, Field(description="IP MTU in bytes")] = None
    fec: Annotated[Fec | None, Field(description="forward error correction")] = None
    headroom: Annotated[BytesOrAuto | None, Field(description="headroom per lossless priority, or auto")] = None
    alpha: Annotated[Alpha | None, Field(description="dynamic threshold of lossless queues, such as 1/8")] = None


class NodeIntent(Strict):
    """What is different on one node, or on all whose names match."""

    name: Annotated[NodeName | None, Field(description="the name it has; the key stays its place in the role")] = None
    state: Annotated[
        NodeState | None, Field(description="planned: not there yet; maintenance: not judged; removed: only its place")
    ] = None
    management: Annotated[HostAddress | None, Field(description="where it is reached over SSH")] = None
    loopback: Annotated[Loopbacks | None, Field(description="loopback address, or one of each family")] = None
    asn: Annotated[AsNumber | None, Field(description="AS number of this switch")] = None
    system: Annotated[Name | None, Field(description="what it runs")] = None
    model: Annotated[Word | None, Field(description="the model of a switch")] = None
    release: Annotated[Word | None, Field(description="the release of the system, in quotes")] = None
    nic: Annotated[Word | None, Field(description="the model of the NICs of a host")] = None
    interfaces: Annotated[
        tuple[InterfaceName, ...] | None, Field(min_length=1, description="the network device of each NIC port")
    ] = None
    ports: Annotated[
        dict[InterfaceName, PortIntent], Field(description="ports under their names, with what is different there")
    ] = Field(default_factory=dict)


class NodeList(Strict):
    """Nodes listed in a file, one line each, with the same keys as here."""

    file: Annotated[CsvFile, Field(description="a CSV file beside this one, such as nodes.csv")]

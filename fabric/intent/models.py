"""The intent file as frozen pydantic models; field names equal YAML keys.

Only what one value can tell is judged here (types, ranges, units, patterns). Whether names are known is judged by
the loader, and whether values fit together by the rules. The descriptions are those of the JSON Schema.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabric.intent.names import Name, NodePattern
from fabric.intent.sections.access import AccessIntent
from fabric.intent.sections.addressing import Addressing
from fabric.intent.sections.classes import ClassIntent
from fabric.intent.sections.hosts import HooksIntent, JobsIntent, NicIntent
from fabric.intent.sections.nodes import NodeIntent
from fabric.intent.sections.ports import BuffersIntent, PfcIntent, RoutingIntent
from fabric.intent.sections.tenants import ExternalIntent, TenantIntent, WaiverIntent
from fabric.intent.sections.topology import Topology
from fabric.intent.strict import Strict


class Intent(Strict):
    """A fabric: one CLOS of switches and GPU hosts, its traffic classes, PFC, ECN and DCQCN."""

    fabric: Annotated[Name, Field(description="the name of the fabric")]
    topology: Annotated[Topology, Field(description="nodes and cables")]
    addressing: Annotated[Addressing, Field(description="address pools and the IP MTU")]
    classes: Annotated[dict[Name, ClassIntent], Field(min_length=1, description="traffic classes under their names")]
    pfc: Annotated[PfcIntent | None, Field(description="priority flow control")] = None
    buffers: Annotated[BuffersIntent | None, Field(description="switch buffers")] = None
    routing: Annotated[RoutingIntent | None, Field(description="how switches route between each other")] = None
    nic_settings: Annotated[NicIntent | None, Field(description="settings of all RDMA NICs")] = None
    jobs: Annotated[JobsIntent | None, Field(description="what jobs need to know of the fabric")] = None
    hooks: Annotated[HooksIntent | None, Field(description="commands of your own that run on hosts")] = None
    nodes: Annotated[
        dict[NodePattern, NodeIntent],
        Field(description="what is different on single nodes, under their names or patterns; or {file: nodes.csv}"),
    ] = Field(default_factory=dict)
    access: Annotated[AccessIntent | None, Field(description="how nodes are reached over SSH")] = None
    tenants: Annotated[dict[Name, TenantIntent], Field(description="who shares the fabric, under their names")] = Field(
        default_factory=dict
    )
    external: Annotated[tuple[ExternalIntent, ...], Field(description="neighbours that are left alone")] = ()
    waivers: Annotated[tuple[WaiverIntent, ...], Field(description="findings that are accepted")] = ()

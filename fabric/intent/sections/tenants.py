"""tenants, external and waivers: who shares the fabric, what is left alone, and what is accepted."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from fabric.intent.names import Date, InterfaceName, Name, NodePattern, RulePattern, Sentence, WaiverPattern
from fabric.intent.prefixes import HostAddress
from fabric.intent.quantities import AsNumber, Vni
from fabric.intent.strict import Strict


class TenantIntent(Strict):
    """A group of hosts that reaches only itself."""

    vni: Annotated[Vni, Field(description="VXLAN network identifier of the tenant's routes")]
    hosts: Annotated[
        tuple[NodePattern, ...], Field(min_length=1, description="its hosts: names, or patterns with * and ?")
    ]
    classes: Annotated[
        tuple[Name, ...] | None, Field(min_length=1, description="the classes it may use; default: all")
    ] = None


class ExternalIntent(Strict):
    """A neighbour that is no part of the design and survives every change."""

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": ["neighbor"]}, {"required": ["port"]}]})

    node: Annotated[NodePattern, Field(description="the switches that have it: a name, or a pattern with * and ?")]
    neighbor: Annotated[HostAddress | None, Field(description="the address of the neighbour")] = None
    port: Annotated[InterfaceName | None, Field(description="the port that leads to it, left alone")] = None
    asn: Annotated[AsNumber | None, Field(description="its AS number, as a note")] = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.neighbor is None and self.port is None:
            raise ValueError("neighbor or port is wanted, or both")
        return self


class WaiverIntent(Strict):
    """A finding that is accepted, until a date. What certainly loses packets cannot be waived."""

    rule: Annotated[RulePattern, Field(description="the rule, such as topology.oversubscription")]
    at: Annotated[WaiverPattern, Field(description="where: the path of the finding, or a pattern with * and ?")]
    reason: Annotated[Sentence, Field(description="why it is accepted")]
    until: Annotated[Date | None, Field(description="the last day, such as 2027-06-30; default: for ever")] = None

"""The intent file as frozen pydantic models; field names equal YAML keys.

Only what one value can tell is judged here (types, ranges, units, patterns). Whether names are known is judged by
the loader, and whether values fit together by the rules. The descriptions are those of the JSON Schema.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from fabric.intent.quantities import (
    Alpha,
    AsNumber,
    BytesOrAuto,
    Count,
    Dscp,
    Dscps,
    Few,
    Flag,
    HostName,
    InterfaceName,
    IpMtu,
    Limit,
    Links,
    Metres,
    Milliseconds,
    Name,
    Nics,
    Octal,
    ParameterName,
    PercentOrAuto,
    Prefix,
    Share,
    Speed,
    TcpPort,
    User,
    Whole,
    Word,
)

Attach: TypeAlias = Literal["rail", "leaf", "dual"]
Congestion: TypeAlias = Literal["dcqcn", "pfc-only", "ecn-only", "nic", "none"]


class Strict(BaseModel):
    """Base of all models: frozen, and no key that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Asn(Strict):
    """AS numbers of a switch role."""

    first: Annotated[AsNumber, Field(description="the first AS number")]
    per: Annotated[Literal["tier", "device"], Field(description="one AS number for all, or a further one per device")]


class SwitchRole(Strict):
    """A switch role: equal switches with one place in the fabric."""

    count: Annotated[Count, Field(description="how many switches")]
    system: Annotated[Name, Field(description="what the switches run: frr, sonic, eos, ...")]
    model: Annotated[Word, Field(description="the model, which gives port names, speeds and limits")]
    release: Annotated[Word | None, Field(description="the release of the system, in quotes")] = None
    asn: Annotated[Asn, Field(description="AS numbers of the role")]


class HostRole(Strict):
    """A host role: equal servers with one way of being attached."""

    count: Annotated[Count, Field(description="how many hosts")]
    nics: Annotated[Nics, Field(description="RDMA NICs per host")] = 1
    nic: Annotated[Word, Field(description="the model of the NICs: connectx-7, soft-roce, ...")]
    system: Annotated[Name, Field(description="what the hosts run")] = "linux"
    attach: Annotated[
        Attach,
        Field(description="rail: NIC r to leaf r of its group; leaf: all NICs to one leaf; dual: pairs to two leaves"),
    ]
    per_group: Annotated[Count | None, Field(description="hosts per group of leaves")] = None
    interfaces: Annotated[
        tuple[InterfaceName, ...] | None,
        Field(min_length=1, description="the network device of each NIC, in order; as many as nics"),
    ] = None


class Cable(Strict):
    """How each node of one role is cabled to the nodes of another role."""

    from_: Annotated[Name, Field(alias="from", description="the lower role: hosts, or the switches nearer to hosts")]
    to: Annotated[Name, Field(description="the upper role")]
    per_pair: Annotated[Few, Field(description="cables between each two nodes")] = 1
    speed: Annotated[Speed, Field(description="speed of each cable, such as 400G")]
    length_m: Annotated[Metres | None, Field(description="length in metres; headroom depends on it")] = None


class Topology(Strict):
    """Nodes and cables; tiers follow from the cables."""

    switches: Annotated[dict[Name, SwitchRole], Field(min_length=1, description="switch roles under their names")]
    hosts: Annotated[dict[Name, HostRole], Field(min_length=1, description="host roles under their names")]
    cables: Annotated[tuple[Cable, ...], Field(min_length=1, description="which roles are cabled to each other")]


class Addressing(Strict):
    """Address pools, and the IP MTU of the whole fabric in bytes."""

    loopbacks: Annotated[Prefix, Field(description="pool of the loopback addresses of switches")]
    links: Annotated[Links, Field(description="unnumbered, or the pool of the /31s between switches")]
    hosts: Annotated[Prefix, Field(description="pool of the /31s between hosts and leaves")]
    mtu: Annotated[IpMtu, Field(description="IP MTU in bytes; systems add their layer-2 share")]


class EcnIntent(Strict):
    """Where queues begin to mark."""

    min: Annotated[BytesOrAuto, Field(description="queue length from which packets are marked, such as 150KB, or auto")]
    max: Annotated[BytesOrAuto, Field(description="queue length from which every packet is marked, or auto")]
    probability: Annotated[PercentOrAuto, Field(description="marking probability just below max, such as 5%, or auto")]
    incast: Annotated[Count | None, Field(description="senders to one receiver that auto reckons with")] = None


class ClassIntent(Strict):
    """A traffic class. cnp and default are reserved names."""

    dscp: Annotated[Dscps, Field(description="the DSCPs of the class: one, a list, or a range such as 0-7")] = ()
    mark: Annotated[Dscp | None, Field(description="the DSCP that hosts send; needed when there are several")] = None
    priority: Annotated[Octal, Field(description="PFC priority, 0 to 7")]
    queue: Annotated[Octal | None, Field(description="egress queue, 0 to 7; default: the priority")] = None
    rdma: Annotated[Flag, Field(description="carries RDMA")] = False
    lossless: Annotated[Flag, Field(description="protected by PFC")] = False
    congestion: Annotated[Congestion | None, Field(description="how senders learn of congestion")] = None
    share: Annotated[Share | None, Field(description="share of a congested link, such as 60%")] = None
    strict: Annotated[Flag, Field(description="served before all that have shares")] = False
    limit: Annotated[Limit | None, Field(description="upper bound on links that are faster, such as 10G")] = None
    ecn: Annotated[EcnIntent | None, Field(description="ECN marking")] = None
    traffic: Annotated[tuple[Name, ...], Field(description="labels that jobs refer to, without effect on devices")] = ()


class WatchdogIntent(Strict):
    """What happens when a pause does not end."""

    detect: Annotated[Milliseconds, Field(description="how long a queue may be paused, such as 200ms")]
    restore: Annotated[Milliseconds, Field(description="how long it must be quiet before it is trusted again")]
    action: Annotated[Literal["drop", "forward", "alert"], Field(description="what is done meanwhile")]


class PfcIntent(Strict):
    """Priority flow control."""

    watchdog: Annotated[WatchdogIntent | None, Field(description="PFC watchdog of switches")] = None


class BuffersIntent(Strict):
    """Switch buffers of lossless classes."""

    headroom: Annotated[BytesOrAuto, Field(description="headroom per port and lossless priority, or auto")] = "auto"
    alpha: Annotated[Alpha | None, Field(description="dynamic threshold of lossless queues, such as 1/8")] = None


class Mlx5Intent(Strict):
    """Settings of the mlx5 driver, under the driver's own names."""

    dcqcn: Annotated[dict[ParameterName, Whole], Field(description="DCQCN parameters and their values")] = Field(
        default_factory=dict
    )


class NicIntent(Strict):
    """Settings of all RDMA NICs."""

    rdma_mtu: Annotated[
        Literal[256, 512, 1024, 2048, 4096] | None, Field(description="RDMA MTU in bytes; must fit into the IP MTU")
    ] = None
    persist: Annotated[Flag, Field(description="settings survive a reboot")] = True
    mlx5: Annotated[Mlx5Intent | None, Field(description="settings of the mlx5 driver")] = None


class NcclIntent(Strict):
    """Jobs that use NCCL."""

    class_: Annotated[Name, Field(alias="class", description="the class that carries the job's traffic")]


class JobsIntent(Strict):
    """What jobs need to know of the fabric."""

    nccl: Annotated[NcclIntent | None, Field(description="jobs that use NCCL")] = None


class AccessRule(Strict):
    """How nodes are reached over SSH."""

    user: Annotated[User | None, Field(description="user name")] = None
    host: Annotated[HostName, Field(description="host name or address; {name} stands for the node's name")] = "{name}"
    port: Annotated[TcpPort, Field(description="TCP port")] = 22
    sudo: Annotated[Flag, Field(description="commands run through sudo")] = False


class AccessIntent(Strict):
    """How nodes are reached over SSH. Secrets never stand here."""

    switches: Annotated[AccessRule | None, Field(description="how switches are reached")] = None
    hosts: Annotated[AccessRule | None, Field(description="how hosts are reached")] = None


class Intent(Strict):
    """A fabric: one CLOS of switches and GPU hosts, its traffic classes, PFC, ECN and DCQCN."""

    fabric: Annotated[Name, Field(description="the name of the fabric")]
    topology: Annotated[Topology, Field(description="nodes and cables")]
    addressing: Annotated[Addressing, Field(description="address pools and the IP MTU")]
    classes: Annotated[dict[Name, ClassIntent], Field(min_length=1, description="traffic classes under their names")]
    pfc: Annotated[PfcIntent | None, Field(description="priority flow control")] = None
    buffers: Annotated[BuffersIntent | None, Field(description="switch buffers of lossless classes")] = None
    nic_settings: Annotated[NicIntent | None, Field(description="settings of all RDMA NICs")] = None
    jobs: Annotated[JobsIntent | None, Field(description="what jobs need to know of the fabric")] = None
    access: Annotated[AccessIntent | None, Field(description="how nodes are reached over SSH")] = None

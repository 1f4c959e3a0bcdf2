"""The intent file as frozen pydantic models; field names equal YAML keys."""

from __future__ import annotations

from fractions import Fraction
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from fabric.units import parse_alpha, parse_bytes, parse_duration, parse_percent, parse_speed

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")]
Bytes = Annotated[int, BeforeValidator(parse_bytes)]
Speed = Annotated[int, BeforeValidator(parse_speed)]
Milliseconds = Annotated[int, BeforeValidator(parse_duration)]
Percent = Annotated[float, BeforeValidator(parse_percent)]
Alpha = Annotated[Fraction, BeforeValidator(parse_alpha)]
Auto = Literal["auto"]
Prefix = IPv4Network | IPv6Network


class Strict(BaseModel):
    """Base of all models: frozen, and no key that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Asn(Strict):
    """``asn``: the first AS number, and what each further one is counted per."""

    first: Annotated[int, Field(ge=1, le=4294967294)]
    per: Literal["tier", "device"]


class SwitchRole(Strict):
    """``topology.switches.<role>``."""

    count: Annotated[int, Field(ge=1)]
    system: Name
    model: str
    release: str | None = None
    asn: Asn


class HostRole(Strict):
    """``topology.hosts.<role>``."""

    count: Annotated[int, Field(ge=1)]
    nics: Annotated[int, Field(ge=1)] = 1
    nic: str
    system: Name = "linux"
    attach: Literal["rail", "leaf", "dual"]
    per_group: Annotated[int, Field(ge=1)] | None = None
    interfaces: tuple[str, ...] | None = None


class Cable(Strict):
    """One entry of ``topology.cables``: how each node of one role is cabled to the other role."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    per_pair: Annotated[int, Field(ge=1)] = 1
    speed: Speed
    length_m: Annotated[float, Field(gt=0)] | None = None


class Topology(Strict):
    """``topology``."""

    switches: dict[Name, SwitchRole]
    hosts: dict[Name, HostRole]
    cables: tuple[Cable, ...]


class Addressing(Strict):
    """``addressing``: pools, and the IP MTU of the whole fabric in bytes."""

    loopbacks: IPv4Network
    links: Literal["unnumbered"] | IPv4Network
    hosts: IPv4Network
    mtu: Annotated[int, Field(ge=1280, le=65535)]


class EcnIntent(Strict):
    """``classes.<name>.ecn``: thresholds in bytes or ``auto``, probability in percent."""

    min: Bytes | Auto
    max: Bytes | Auto
    probability: Percent | Auto
    incast: Annotated[int, Field(ge=1)] | None = None


class ClassIntent(Strict):
    """``classes.<name>``."""

    dscp: tuple[int, ...] = ()
    mark: int | None = None
    priority: Annotated[int, Field(ge=0, le=7)]
    queue: Annotated[int, Field(ge=0, le=7)] | None = None
    rdma: bool = False
    lossless: bool = False
    congestion: Literal["dcqcn", "pfc-only", "ecn-only", "nic", "none"] | None = None
    share: Percent | None = None
    strict: bool = False
    limit: Speed | None = None
    ecn: EcnIntent | None = None
    traffic: tuple[str, ...] = ()


class WatchdogIntent(Strict):
    """``pfc.watchdog``: times in milliseconds."""

    detect: Milliseconds
    restore: Milliseconds
    action: Literal["drop", "forward", "alert"]


class PfcIntent(Strict):
    """``pfc``."""

    watchdog: WatchdogIntent | None = None


class BuffersIntent(Strict):
    """``buffers``."""

    headroom: Bytes | Auto = "auto"
    alpha: Alpha | None = None


class Mlx5Intent(Strict):
    """``nic_settings.mlx5``: the driver's own names."""

    dcqcn: dict[str, int] = Field(default_factory=dict)


class NicIntent(Strict):
    """``nic_settings``."""

    rdma_mtu: Literal[256, 512, 1024, 2048, 4096] | None = None
    persist: bool = True
    mlx5: Mlx5Intent | None = None


class NcclIntent(Strict):
    """``jobs.nccl``."""

    class_: Annotated[str, Field(alias="class")]


class JobsIntent(Strict):
    """``jobs``."""

    nccl: NcclIntent | None = None


class AccessRule(Strict):
    """``access.switches`` or ``access.hosts``; ``{name}`` in ``host`` stands for the node's name."""

    user: str | None = None
    host: str = "{name}"
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    sudo: bool = False


class AccessIntent(Strict):
    """``access``."""

    switches: AccessRule | None = None
    hosts: AccessRule | None = None


class Intent(Strict):
    """The whole file."""

    fabric: Name
    topology: Topology
    addressing: Addressing
    classes: dict[Name, ClassIntent]
    pfc: PfcIntent | None = None
    buffers: BuffersIntent | None = None
    nic_settings: NicIntent | None = None
    jobs: JobsIntent | None = None
    access: AccessIntent | None = None

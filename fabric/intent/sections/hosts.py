"""nic_settings, jobs and hooks: what hosts are set to, and what runs on them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from fabric.intent.names import HookCommand, Name, ParameterName
from fabric.intent.quantities import Dscp, Flag, Octal, Whole
from fabric.intent.strict import Strict

Exponent: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=31)]


class DriverIntent(Strict):
    """Settings of one NIC driver, under the driver's own names."""

    dcqcn: Annotated[dict[ParameterName, Whole], Field(description="DCQCN parameters and their values")] = Field(
        default_factory=dict
    )
    cnp_dscp: Annotated[
        Dscp | None, Field(description="the DSCP of CNPs that these NICs send; default: the mark of class cnp")
    ] = None


class NicIntent(Strict):
    """Settings of all RDMA NICs."""

    rdma_mtu: Annotated[
        Literal[256, 512, 1024, 2048, 4096] | None, Field(description="RDMA MTU in bytes; must fit into the IP MTU")
    ] = None
    persist: Annotated[Flag, Field(description="settings survive a reboot")] = True
    read_request: Annotated[
        Literal[128, 256, 512, 1024, 2048, 4096] | None,
        Field(description="largest PCIe read request in bytes; machines start with 512, and 4096 is fastest"),
    ] = None
    relaxed_ordering: Annotated[
        Flag | None, Field(description="PCIe writes of the NIC may overtake each other, which is faster")
    ] = None
    acs: Annotated[
        Flag | None, Field(description="PCIe access control between NIC and GPU: needed by virtual machines, slow")
    ] = None
    mlx5: Annotated[DriverIntent | None, Field(description="settings of the mlx5 driver (ConnectX, BlueField)")] = None
    bnxt: Annotated[DriverIntent | None, Field(description="settings of the bnxt driver (Broadcom Thor)")] = None


class NcclIntent(Strict):
    """Jobs that use NCCL."""

    class_: Annotated[Name, Field(alias="class", description="the class that carries the job's traffic")]
    communicators: Annotated[
        dict[Name, Name], Field(description="the class of single communicators, under their names")
    ] = Field(default_factory=dict)
    timeout: Annotated[
        Exponent | None,
        Field(description="NCCL_IB_TIMEOUT that jobs use: 4.096 us x 2^timeout without an acknowledgement"),
    ] = None
    retries: Annotated[
        Octal | None, Field(description="NCCL_IB_RETRY_CNT that jobs use: how often they send again")
    ] = None


class JobsIntent(Strict):
    """What jobs need to know of the fabric."""

    nccl: Annotated[NcclIntent | None, Field(description="jobs that use NCCL")] = None


class HooksIntent(Strict):
    """Commands of the user's own that run on hosts."""

    idle: Annotated[
        HookCommand | None, Field(description="succeeds on a host that no job uses, such as /usr/local/bin/is-idle")
    ] = None

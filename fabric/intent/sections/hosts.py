"""nic_settings, jobs and hooks: what hosts are set to, and what runs on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabric.intent.names import HookCommand, Name, ParameterName
from fabric.intent.quantities import Dscp, Flag, Whole
from fabric.intent.strict import Strict


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
    mlx5: Annotated[DriverIntent | None, Field(description="settings of the mlx5 driver (ConnectX, BlueField)")] = None
    bnxt: Annotated[DriverIntent | None, Field(description="settings of the bnxt driver (Broadcom Thor)")] = None


class NcclIntent(Strict):
    """Jobs that use NCCL."""

    class_: Annotated[Name, Field(alias="class", description="the class that carries the job's traffic")]
    communicators: Annotated[
        dict[Name, Name], Field(description="the class of single communicators, under their names")
    ] = Field(default_factory=dict)


class JobsIntent(Strict):
    """What jobs need to know of the fabric."""

    nccl: Annotated[NcclIntent | None, Field(description="jobs that use NCCL")] = None


class HooksIntent(Strict):
    """Commands of the user's own that run on hosts."""

    idle: Annotated[
        HookCommand | None, Field(description="succeeds on a host that no job uses, such as /usr/local/bin/is-idle")
    ] = None

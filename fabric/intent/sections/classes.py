"""classes: traffic classes, how they are marked, queued, protected and slowed down."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from fabric.intent.names import Name
from fabric.intent.quantities import Count, Dscp, Dscps, Flag, Limit, Octal, PercentOrAuto, Share, Threshold
from fabric.intent.strict import Strict

Congestion: TypeAlias = Literal["dcqcn", "pfc-only", "ecn-only", "nic", "none"]
Profile: TypeAlias = Literal["latency", "balanced", "throughput", "paper", "nvidia-preset", "pfc-only"]


class EcnIntent(Strict):
    """Where queues begin to mark."""

    min: Annotated[
        Threshold,
        Field(description="queue length from which packets are marked: 150KB, {100G: 150KB, 400G: 600KB}, or auto"),
    ]
    max: Annotated[
        Threshold, Field(description="queue length from which every packet is marked: one, one per speed, or auto")
    ]
    probability: Annotated[PercentOrAuto, Field(description="marking probability just below max, such as 5%, or auto")]
    profile: Annotated[
        Profile | None,
        Field(
            description="what auto aims at: latency, balanced (default) or throughput, the paper of DCQCN, NVIDIA's "
            "preset, or no marks at all: pfc-only"
        ),
    ] = None
    incast: Annotated[Count | None, Field(description="senders to one receiver; 8 where nothing is written")] = None
    flows: Annotated[Count | None, Field(description="flows per port that auto reckons with")] = None


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
    edge: Annotated[
        tuple[Name, ...] | None,
        Field(min_length=1, description="host roles whose ports carry the class; default: all of them"),
    ] = None
    traffic: Annotated[tuple[Name, ...], Field(description="labels that jobs refer to, without effect on devices")] = ()

"""pfc, buffers and routing: what switches do on all their ports."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabric.intent.names import PoolName, Word
from fabric.intent.quantities import Alpha, Bytes, BytesOrAuto, Flag, Milliseconds, Ratio
from fabric.intent.sections.chips import ChipIntent
from fabric.intent.strict import Strict


class WatchdogIntent(Strict):
    """What happens when a pause does not end."""

    detect: Annotated[Milliseconds, Field(description="how long a queue may be paused, such as 200ms")]
    restore: Annotated[Milliseconds, Field(description="how long it must be quiet before it is trusted again")]
    action: Annotated[Literal["drop", "forward", "alert"], Field(description="what is done meanwhile")]


class PfcIntent(Strict):
    """Priority flow control."""

    watchdog: Annotated[WatchdogIntent | None, Field(description="PFC watchdog of switches")] = None


class PoolIntent(Strict):
    """A buffer pool of a system, written only because it is named here."""

    size: Annotated[Bytes, Field(description="size of the pool, such as 32MiB")]
    xoff: Annotated[Bytes | None, Field(description="headroom that all ports of the pool share")] = None


class BuffersIntent(Strict):
    """Switch buffers."""

    headroom: Annotated[BytesOrAuto, Field(description="headroom per port and lossless priority, or auto")] = "auto"
    alpha: Annotated[Alpha | None, Field(description="dynamic threshold of lossless queues, such as 1/8")] = None
    lossy_alpha: Annotated[Alpha | None, Field(description="dynamic threshold of lossy queues, such as 1")] = None
    oversubscribe: Annotated[
        Ratio | None,
        Field(description="how many times the headroom of all ports may exceed what is set aside; 1 unless written"),
    ] = None
    override: Annotated[
        dict[PoolName, PoolIntent], Field(description="pools under the system's own names, written as they stand here")
    ] = Field(default_factory=dict)
    chips: Annotated[
        dict[Word, ChipIntent],
        Field(description="constants of the user's own, by chip or switch model, laid over the hardware data"),
    ] = Field(default_factory=dict)


class RoutingIntent(Strict):
    """How switches route between each other."""

    bfd: Annotated[Flag, Field(description="sessions between switches are watched by BFD")] = False
    load_balance: Annotated[
        Literal["ecmp", "dlb", "spray"],
        Field(description="ecmp: by flow; dlb: by flowlet and load; spray: by packet, for NICs that reorder"),
    ] = "ecmp"

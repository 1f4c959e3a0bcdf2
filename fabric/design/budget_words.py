"""The budget of a switch in words: what its buffer is used for, by which formula, and where the figures come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.budget import DEFAULT_RATIO, headroom_pool
from fabric.settings.pools import Pools
from fabric.units import megabytes

if TYPE_CHECKING:
    from fabric.design.budget import Budget
    from fabric.hardware.asics import Asic
    from fabric.settings.network import Node


def summary(found: Budget) -> str:
    """Return what a buffer is used for, and how many ports can be paused at once."""
    shared = f"{megabytes(found.shared)} shared" if found.shared >= 0 else f"{megabytes(-found.shared)} too little"
    ports = len(found.ports)
    return (
        f"{megabytes(found.total)}: {shared}, {megabytes(found.kept)} headroom ({found.paused_at_once} of {ports} "
        f"ports can be paused at once without loss), {megabytes(found.reserved)} reserved"
    )


def formula(found: Budget, chip: Asic, node: Node, oversubscribe: int | None) -> str:
    """Return how the budget of a switch is reckoned; ``oversubscribe`` as the intent has it."""
    shared = f"{found.shared} B shared = {found.total} B - {found.kept} B headroom - {found.reserved} B reserved"
    return f"{shared}; {_kept(found, node, oversubscribe)}; {_reserved(found)} ({chip.name}: {'; '.join(chip.source)})"


def _kept(found: Budget, node: Node, oversubscribe: int | None) -> str:
    ports = f"the {len(found.ports)} ports on which a priority is paused need {found.demand} B"
    if headroom_pool(node.settings.rows(Pools).values()) is not None:
        return f"headroom is xoff of the pools that are set; {ports}"
    if oversubscribe is None:
        default = f"buffers.oversubscribe is not written, {DEFAULT_RATIO} as in SONiC's templates"
        return f"headroom: {ports}, and each has its own: {default}"
    return f"headroom: {ports}, divided by {oversubscribe}, buffers.oversubscribe"


def _reserved(found: Budget) -> str:
    groups = f"{found.reserved - found.outside} B of priority groups"
    unknown = "what single egress queues have to themselves is not published"
    return f"reserved: {groups}, {found.outside} B that no pool for lossless traffic has; {unknown}"

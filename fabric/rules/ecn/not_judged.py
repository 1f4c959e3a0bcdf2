"""What pauses and marks are reckoned from is known.

What it does
    Looks for marking queues of lossless classes of which nobody can say where pauses begin: the chip of the switch or
    the size of its buffer is not known, a headroom is open, or alpha is not given.

Why
    That marks come before pauses, that an incast is told in time, and that headroom fits into the chip, is then not
    judged by any rule. A file about which nothing is said should not pass for one that was proven.

Fails
    ``buffers`` left out, with switches of model sn5600; model n9k-c9364d-gx2a; ``buffers.chips`` with constants of
    headroom and without ``buffer.total``.

Passes
    ``buffers: {headroom: auto, alpha: 1/8}`` with a chip whose buffer is known; Linux, which has no chip.

Options
    ``buffers.chips.NAME.buffer.total``, ``buffers.alpha``, ``buffers.headroom``.

Known limits
    What lies around other queues is not asked. Cables without a length are a matter of cabling.length-missing, and
    more headroom than there is buffer one of buffers.beyond-chip.

Source
    Own reasoning: what is not observed is said, and not passed over. Catalogue code F03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.limits import chipless, model_of
from fabric.analysis.marking import row_of
from fabric.design.budget import budget_of
from fabric.design.chips import chip_at
from fabric.design.thresholds import Surroundings
from fabric.design.thresholds_ports import scene
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network, Node

SEVERITY = Severity.NOTE


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per reason, with all switches that it holds for."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for node, ports, _, near in scene(network).queues():
        if near.lossless and near.no_pool and (fix := _fix(network, node, near)):
            found.setdefault((near.no_pool, fix), {}).setdefault(node.name, row_of(node, ports))
    for (reason, fix), nodes in found.items():
        first, *others = nodes
        more = f" and {len(others)} more" if others else ""
        yield Violation(
            path=nodes[first],
            message=f"whether marks come before pauses is not judged on {first}{more}: {reason}",
            measured=reason,
            bound="a chip, its buffer, a headroom and an alpha that are known",
            fix=fix,
        )


def _fix(network: Network, node: Node, near: Surroundings) -> str:
    """Return what would have to be known; empty where there is nothing to know, or another rule asks for it."""
    model = model_of(node)
    if isinstance(model, SwitchModel) and chipless(model):
        return ""
    chip = chip_at(network, node)
    if chip is None:
        return f"give buffers.chips.{_subject(model, node)} its constants, and buffer: {{total: ...}}"
    if chip.buffer is None:
        return f"write buffers.chips.{chip.name}.buffer.total, as its data sheet has it"
    if near.shared is not None:
        return "write buffers.alpha as it is set on the switches, such as 1/8"
    if budget_of(network, node) is not None or any(not link.length for link, *_ in network.links_of[node.name]):
        return ""
    return "write buffers: {headroom: auto, alpha: 1/8}, or the headroom that is set"


def _subject(model: object, node: Node) -> str:
    """Return under what name constants of a chip are given: its own, or that of the model where it has none."""
    return model.asic if isinstance(model, SwitchModel) and model.asic != "none" else node.model

"""Headroom is computed only for chips whose constants are known.

What it does
    Looks for switches on which ``headroom: auto`` is asked for, whose chip has no constants in the hardware data, and
    of which ``buffers.chips`` gives none.

Why
    Headroom depends on the cell size of the chip, its latencies and what it assumes of packets: between chips it
    differs by a factor of four. A guess would be wrong in silence, so nothing is computed, and ``auto`` is refused.

Fails
    ``buffers: {headroom: auto}`` with switches of model n9k-c9364d-gx2a or generic-64.

Passes
    A size instead of ``auto``; the constants as ``buffers.chips``; models whose chip is known; Linux, which has no
    chip.

Options
    ``buffers.chips: {NAME: {cell, waste, frames, response}}``, or the constants of the formula for NVIDIA chips; NAME
    is the chip, or the model where the chip has no name.

Known limits
    ``headroom`` that nobody wrote is ``auto`` as well, and then left to the switch.

Source
    Own reasoning; the tables of 67 devices that the formulas are held against differ that much. Catalogue code L09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import headrooms
from fabric.analysis.limits import chipless, model_of
from fabric.design.model import Design
from fabric.hardware.models import SwitchModel
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent

SEVERITY = Severity.ERROR


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per chip of which headroom is asked and nothing is known."""
    path = _asked(document)
    if not path:
        return
    nodes: dict[str, dict[str, None]] = {}
    for each in headrooms(design.network):
        model = model_of(design.network.nodes[each.own.node])
        if each.chip or not isinstance(each.row.headroom, Absent):
            continue
        if isinstance(model, SwitchModel) and not chipless(model):
            nodes.setdefault(model.name if model.asic == "none" else model.asic, {})[each.own.node] = None
    for subject, names in nodes.items():
        first, *others = names
        more = f" and {len(others)} more" if others else ""
        yield Violation(
            path=path,
            message=f"headroom is auto, and no constants are known for {subject} ({first}{more})",
            measured=f"nothing known of {subject}",
            bound="a chip with constants",
            fix=f"give buffers.chips.{subject} its cell, waste, frames and response, write the headroom as a size, or "
            "leave headroom out: the device takes its own",
        )


def _asked(document: Document) -> str:
    """Return the path of the key that asks for headroom to be computed; empty where none does."""
    buffers = document.intent.buffers
    if buffers is not None and buffers.headroom == "auto" and "headroom" in buffers.model_fields_set:
        return "buffers.headroom"
    asked = (
        f"nodes.{key}.ports.{port}.headroom"
        for key, node in document.intent.nodes.items()
        for port, given in node.ports.items()
        if given.headroom == "auto"
    )
    return next(asked, "")

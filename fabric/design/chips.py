"""Chips: the constants that count for a switch, those of the user's own before those of the hardware data."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from fabric.design.faults import Gathered, fault, placed
from fabric.hardware import lookup
from fabric.hardware.given import Constants, chip
from fabric.intent.sections.chips import MemoryIntent, Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.hardware.asics import Asic
    from fabric.hardware.models import SwitchModel
    from fabric.intent.document import Document
    from fabric.intent.models import Intent
    from fabric.settings.network import Network, Node

NONE = "none"


def chip_of(model: SwitchModel, given: Mapping[str, Constants]) -> Asic | None:
    """Return the chip of a switch model; ``None`` where no constants of it are known.

    ``given`` are the constants of `own_chips`: those for the model count before those for its chip.
    """
    subjects = [subject for subject in (model.asic, model.name) if subject in given] if given else []
    return chip(model.asic, *((subject, given[subject]) for subject in subjects))


def chip_at(network: Network, node: Node) -> Asic | None:
    """Return the chip of a switch of a network, designed or read; ``None`` where no constants of it are known."""
    known = node.kind == "switch" and (node.model in lookup.switches() or node.model.startswith("generic-"))
    return chip_of(lookup.switch(node.model), network.chips) if known else None


def has_chip(model: str) -> bool:
    """Tell whether a switch model is known to have a switch chip; of a generic one nothing is known."""
    return model in lookup.switches() and lookup.switch(model).asic != NONE


def own_chips(intent: Intent) -> Mapping[str, Constants]:
    """Return the constants that the intent gives, by chip or switch model, under the names of the hardware data."""
    found = intent.buffers.chips if intent.buffers else {}
    return {
        subject: tuple(
            (key, _plain(value)) for key in type(rows).model_fields if (value := getattr(rows, key)) is not None
        )
        for subject, rows in found.items()
    }


def check_chips(document: Document, models: tuple[SwitchModel, ...]) -> None:
    """Refuse constants for what is no chip, and those that make no whole formula; all that is wrong in one DesignError.

    ``models`` are those of the switches that there are: constants for a chip must suit each of them.
    """
    given = own_chips(document.intent)
    names = lookup.chips() if given else ()  # it reads all data files
    faults = Gathered()
    for subject in given:
        path = f"buffers.chips.{subject}"
        used = [model for model in models if subject in {model.asic, model.name}]
        with faults:
            if not (used or subject in names or subject in lookup.switches()) or subject == NONE:
                near = get_close_matches(subject, [*names, *lookup.switches()], n=3, cutoff=0.5)
                meant = f"did you mean {' or '.join(near)}? " if near else ""
                hint = f"{meant}chips: {', '.join(names)}; or the model of a switch"
                raise fault(document, path, f"{path}: there is no chip or switch model {subject!r}", hint)
            with placed(document, path):
                for model in used:
                    chip_of(model, given)
                if not used:
                    chip(subject if subject in names else lookup.switch(subject).asic, (subject, given[subject]))
    faults.end()


def _plain(value: Any) -> Any:
    """Return a value of the intent as constants have it."""
    if isinstance(value, Response):
        return value.value, value.unit
    if isinstance(value, MemoryIntent):
        return tuple(value.model_dump().items())
    return tuple(value.items()) if hasattr(value, "items") else value

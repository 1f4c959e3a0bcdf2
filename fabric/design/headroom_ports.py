"""Headroom of the ports of a switch: computed where the intent leaves that to us, and why it is what it is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from fabric.design.chips import chip_of, own_chips
from fabric.design.headroom import needed, why_not
from fabric.design.headroom_words import formula
from fabric.design.model import Origin
from fabric.design.overrides import Overrides
from fabric.settings.facet import Absent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.design.blueprint import Blueprint
    from fabric.design.layout import Laid, Switch
    from fabric.design.quality import PortQuality
    from fabric.hardware.asics import Asic
    from fabric.intent.models import Intent
    from fabric.settings.buffers import PortBuffer

_REST = "thresholds as buffers and nodes say"


def computed(
    intent: Intent,
    switch: Switch,
    cables: Mapping[str, Laid],
    ports: Mapping[str, PortQuality],
    buffers: Mapping[str, PortBuffer],
) -> dict[str, PortBuffer]:
    """Return the buffers of a switch, with headroom where it is ``auto``, a priority is paused, and all is known.

    All mappings are by port. Ports that need the same share one value.
    """
    own, chip = switch.given.ports, chip_of(switch.model, own_chips(intent))
    alike: dict[tuple[int, int, str], PortBuffer] = {}  # by what ports share: a large fabric has few kinds of them
    found: dict[str, PortBuffer] = {}
    for port, row in buffers.items():
        quality, laid = ports[port], cables[port]
        kind = (id(quality), id(laid), port if port in own else "")
        if kind not in alike:
            wanted = isinstance(row.headroom, Absent) and quality.pfc.priorities and _asked(intent, switch, port)
            needs = (chip, laid.speed, laid.length, _mtu(intent, switch, port))
            alike[kind] = _filled(row, *needs) if wanted else row
        found[port] = alike[kind]
    return found


def headroom_origin(blueprint: Blueprint, switch: Switch, port: str, laid: Laid) -> Origin:
    """Return why the buffer of a port is what it is: headroom as written, by its formula, or why it is open."""
    document = blueprint.document
    intent, given = document.intent, switch.given.ports.get(port)
    said = {key: Overrides(document).origin(switch.place, f"ports.{port}.{key}") for key in ("headroom", "alpha")}
    path = said["headroom"] or "buffers.headroom"
    shared = intent.buffers.headroom if intent.buffers else None
    size = shared if given is None or given.headroom is None else given.headroom
    if size is None:
        reason = "no headroom is asked for"
    elif size != "auto":
        reason = f"headroom written as {path}"
    elif not blueprint.quality.on(laid.speed, _edge(blueprint, switch, port)).pfc.priorities:
        reason = f"{path} is auto: none, as no priority is paused here"
    else:
        reason = f"{path} is auto: {_reckoned(intent, switch, laid, _mtu(intent, switch, port))}"
    return Origin(f"{reason}; {_REST}", document.place(path) or document.place(said["alpha"]))


def _reckoned(intent: Intent, switch: Switch, laid: Laid, mtu: int) -> str:
    chip = chip_of(switch.model, own_chips(intent))
    need = needed(chip, laid.speed, laid.length, mtu)
    if need is None or chip is None:
        return f"open, as {why_not(switch.model.asic, chip, laid.length)}"
    return f"{need.auto} B = {formula(chip, laid.speed, laid.length, mtu)}"


def _edge(blueprint: Blueprint, switch: Switch, port: str) -> str | None:
    rows = blueprint.layout.attached.get(switch.name, ())
    return next((row.cards.role for row in rows if row.leaf_port == port), None)


@cache
def _filled(row: PortBuffer, chip: Asic | None, speed: int, length: float, mtu: int) -> PortBuffer:
    need = needed(chip, speed, length, mtu)
    return row if need is None else replace(row, headroom=need.auto, length=length, mtu=mtu)


def _asked(intent: Intent, switch: Switch, port: str) -> bool:
    """Tell whether headroom is wanted: of all ports where there is a section ``buffers``, else where ``nodes`` says."""
    given = switch.given.ports.get(port)
    return intent.buffers is not None or (given is not None and given.headroom == "auto")


def _mtu(intent: Intent, switch: Switch, port: str) -> int:
    given = switch.given.ports.get(port)
    return (given.mtu if given else None) or intent.addressing.mtu

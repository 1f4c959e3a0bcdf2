"""Headroom is computed for its port, not copied from elsewhere.

What it does
    Warns of two things where the formula of the chip does not already say that the headroom is too small. First: the
    headroom of a port is one of the constants that vendors ship for many speeds and lengths at once, on a chip, at a
    speed or over a cable that the table with this constant is not about. Second: ports of one switch with different
    speeds or lengths of cable have the same headroom, and nothing is known that would tell for which of them it is
    right.

Why
    Headroom grows with speed and length. A value that does not is a placeholder: too small for the fastest port, or so
    large for the slowest that the shared pool is missed.

Fails
    190500 bytes, which one vendor ships for Tomahawk 3 at every speed, on another chip. ``headroom: 100KB`` at 100G and
    at 400G of a switch of whose chip no constants are known.

Passes
    ``headroom: auto``. One value for all ports of a chip that is known, if it is enough for the most demanding.

Options
    ``buffers.chips`` gives the constants of a chip that is not known: then each port is judged by itself.

Known limits
    Five constants are known. Where the headroom is too small by the formula of the chip, the rules that say so speak
    alone.

Source
    sonic-net/sonic-buildimage 086b03bd: five tables with one value for all rows (``data/headrooms/constants.yaml``),
    and rows of the SN4280 at 400G over 1500 m and 2000 m that repeat those of 200G. Catalogue code G14.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from fabric.analysis.headrooms import Headroom, headrooms
from fabric.analysis.limits import model_of
from fabric.hardware.constants import constants
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with a constant of elsewhere, one per switch and headroom that two kinds share."""
    for name, ports in groupby(headrooms(network), key=lambda each: each.own.node):
        model, open_ = model_of(network.nodes[name]), list[Headroom]()
        for each in ports:
            found = _constant(each, model.asic if isinstance(model, SwitchModel) else "")
            if found is not None:
                yield found
            elif each.need is None and not isinstance(each.row.headroom, Absent):
                open_.append(each)
        yield from _shared(open_)


def _constant(each: Headroom, chip: str) -> Violation | None:
    size = each.row.headroom
    constant = None if isinstance(size, Absent) or each.small else constants().get(size)
    if constant is None or constant.covers(chip, each.link.speed, each.link.length):
        return None
    if each.need is not None and constant.size == each.need.auto:
        return None  # computed after all: formulas of NVIDIA give such values too
    speeds = ", ".join(map(format_speed, constant.speeds))
    return Violation(
        path=each.path,
        message=f"the headroom of {each.own} {each.cable} is a constant that is shipped for {constant.chip}, and for "
        "no such port",
        measured=f"{constant.size} bytes",
        bound=f"that constant only on {constant.chip} at {speeds}, up to {constant.metres} m",
        fix="write auto, or what is computed for this port",
    )


def _shared(ports: Iterable[Headroom]) -> Iterator[Violation]:
    by_size: dict[object, list[Headroom]] = {}
    for each in ports:
        by_size.setdefault(each.row.headroom, []).append(each)
    for size, alike in by_size.items():
        first = alike[0]
        other = next((each for each in alike if _kind(each) != _kind(first)), None)
        if other is not None:
            yield Violation(
                path=first.path,
                message=f"{first.own} {first.cable} and {other.own} {other.cable} have the same headroom, and no "
                "constants of the chip tell for which of them it is right",
                measured=f"{size} bytes for both",
                bound="a headroom for each speed and length",
                fix="give the constants of the chip as buffers.chips, and write auto",
            )


def _kind(each: Headroom) -> tuple[int, float]:
    return each.link.speed, each.link.length

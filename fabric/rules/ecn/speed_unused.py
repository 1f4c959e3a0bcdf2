"""Sizes are given for speeds that ports have.

What it does
    Compares the speeds for which ``ecn.min`` and ``ecn.max`` give sizes with those of the ports that carry the class.

Why
    A size for a speed that no port has is mostly a slip: 10G for 100G, or a fabric that has moved on. It also hides
    that the size was meant for another port.

Fails
    ``min: {10G: 15KB, 100G: 150KB}`` where all ports run at 100G.

Passes
    Sizes for exactly the speeds that ports have; one size for all.

Options
    None.

Known limits
    A speed that has ports and no size is refused when the design is built, as such a port would mark nothing.

Source
    Own reasoning; catalogue code F14 (thresholds that are written in a wrong unit or for a wrong port).

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.analysis.edges import edges
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.units import format_speed

SEVERITY = Severity.NOTE


def check(design: Design) -> Iterator[Violation]:
    """Yield one violation per threshold that has sizes for speeds without ports."""
    used = _used(design)
    for found in design.classes:
        speeds = {speed for edge, each in used.items() if found.carried(edge) for speed in each}
        for key, sizes in (("min", found.kmin_by_speed), ("max", found.kmax_by_speed)):
            unused = [speed for speed, _ in sizes if speed not in speeds]
            if unused:
                yield Violation(
                    path=f"classes.{found.name}.ecn.{key}",
                    message=f"classes.{found.name}.ecn.{key} has sizes for {_list(unused)}, and no port of the class "
                    "has that speed",
                    measured=_list(unused),
                    bound=_list(sorted(speeds)),
                    fix=f"take {_list(unused)} out, or write the speed that was meant",
                )


def _used(design: Design) -> Mapping[str | None, set[int]]:
    """Return the speeds of ports by host role, ``None`` between switches."""
    found: dict[str | None, set[int]] = {}
    for link, role in edges(design.network, design):
        found.setdefault(role, set()).add(link.speed)
    return found


def _list(speeds: list[int]) -> str:
    return ", ".join(format_speed(speed) for speed in speeds)

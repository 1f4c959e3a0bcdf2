"""No cable is longer than its kind carries.

What it does
    Compares the length of each cable with the reach of its ``media`` at its speed: copper (``dac``: 7 m up to 40G, 5 m
    at 50G and 100G, 3 m at 200G and 400G, 2 m at 800G; ``acc`` and ``aec``: 7 m up to 400G, 5 m at 800G), active
    optical cables (``aoc``: 100 m), and optics by their letters: VR 50 m, SR 100 m (300 m at 10G), DR and PSM 500 m, FR
    and CWDM 2 km, LR 10 km, ER 40 km, ZR 80 km, whatever number of lanes follows them (``dr4``).

Why
    Beyond its reach a link comes up on a good day and makes bit errors on the others. In a lossless class a corrupted
    packet is a lost packet, and RDMA sends everything after it again.

Fails
    ``{speed: 400G, media: dac, length_m: 5}``; ``{speed: 400G, media: sr8, length_m: 150}``.

Passes
    ``{speed: 400G, media: dac, length_m: 3}``; ``{speed: 400G, media: dr4, length_m: 500}``; a kind that is not known.

Options
    None.

Known limits
    The reach of a single product is often shorter (a thin copper cable, OM3 fibre, patch panels), sometimes longer.

Source
    NVIDIA, Cable Management Guidelines and FAQ (copper to 2 to 5 m by rate, AOC to 100 m, SR to 100 m, PSM4 to 500 m,
    FR to 2 km, LR to 10 km, ZR to 80 km); NVIDIA LinkX 100G-PAM4 product line (copper 800G to 2 m straight, 3 m in
    splitters; amplified copper to 5 m; multimode to 50 m); Flexoptix, The 400G overview (the reaches of IEEE 802.3bs).
    Catalogue code B12.

Since
    0.1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.WARNING

_G: Final = 1_000_000_000
_COPPER: Final = ((40 * _G, 7), (100 * _G, 5), (400 * _G, 3), (800 * _G, 2))
_AMPLIFIED: Final = ((400 * _G, 7), (800 * _G, 5))
_BY_SPEED: Final = {"dac": _COPPER, "cr": _COPPER, "acc": _AMPLIFIED, "aec": _AMPLIFIED}
_OPTICS: Final = {
    "aoc": 100,
    "vr": 50,
    "sr": 100,
    "dr": 500,
    "psm": 500,
    "fr": 2_000,
    "cwdm": 2_000,
    "lr": 10_000,
    "er": 40_000,
    "zr": 80_000,
}
_KIND: Final = re.compile(r"([a-z]+)\d*")


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per cable that is longer than the reach of its kind."""
    for link in network.links:
        if link.media is None or not link.length:
            continue
        reach = _reach(link.media, link.speed)
        if reach is not None and link.length > reach:
            yield Violation(
                path=f"{link.a.node}.links.{link.a.port}",
                message=f"the cable between {link.a} and {link.b} is {link.length:g} m long, and {link.media} carries "
                f"{format_speed(link.speed)} over {reach} m",
                measured=f"{link.length:g} m",
                bound=f"at most {reach} m",
                fix="choose another kind of cable, or correct length_m",
            )


def _reach(media: str, speed: int) -> int | None:
    """Return how far a kind of cable carries a speed, in metres; ``None`` where that is not known."""
    found = _KIND.fullmatch(media.lower())
    kind = found[1] if found else ""
    if kind in _BY_SPEED:
        return next((metres for most, metres in _BY_SPEED[kind] if speed <= most), None)
    return 300 if kind == "sr" and speed <= 10 * _G else _OPTICS.get(kind)

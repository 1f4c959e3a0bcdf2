"""Headroom holds what still arrives after the sender was asked to pause.

What it does
    Compares the headroom of each port on which a priority is paused with what its chip, speed, cable and MTU need. Less
    than what arrives in any case (one frame, the pause frame, the cable both ways) is an error, for it certainly loses
    packets. Less than the formula of the chip says, by more than 7 %, is a warning.

Why
    A pause takes time to arrive and to act. What the sender has sent until then must fit above the threshold; what does
    not is dropped, from a class that was promised to be lossless. It happens under load only, so no test on an idle
    fabric finds it.

Fails
    ``headroom: 10KB`` at 400G, 5 m and MTU 9000: 11,606 bytes arrive even from a peer that stops at once (error).
    ``headroom: 100KB`` there on Tomahawk 4: 365 KB are needed when the peer is slow and packets are small (warning).

Passes
    ``headroom: auto``; ``headroom: 434KB`` there; any value on a model whose chip is not known, or without a length.

Options
    None. The warning can be waived, the error cannot.

Known limits
    Formulas of chips are within 7 % of the tables that vendors ship for 100G and more, hence that tolerance. Some
    vendors run with tables of their own that are much smaller, as they count on larger packets or faster peers: none of
    these is below the bound of the error at lengths of up to 1000 m. Whether all ports together fit into the buffer is
    not asked here, nor what a shared headroom pool lends.

Source
    IEEE 802.1Q annex N and IEEE 802.3 annex 31B; the constants of each chip, with their sources, stand in the hardware
    data, and ``fabric show NODE --why`` prints them. Catalogue code G01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.headroom import Need, needed
from fabric.hardware.models import SwitchModel
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.rules.limits import model_of
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import End, Link, Network
from fabric.settings.pfc import Pfc
from fabric.units import format_speed

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True
_TOLERANCE = 7


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with less headroom than it needs."""
    for node in network.nodes.values():
        model, rows = model_of(node), node.settings.rows(Buffers)
        if not rows or not isinstance(model, SwitchModel):
            continue
        paused, ports = node.settings.rows(Pfc), node.settings.rows(Links)
        for link, own, _ in network.links_of[node.name]:
            row, pause, port = rows.get(own.port), paused.get(own.port), ports.get(own.port)
            if row is None or pause is None or port is None or not pause.priorities:
                continue
            if isinstance(row.headroom, Absent) or isinstance(port.mtu, Absent):
                continue
            need = needed(model.asic, link.speed, link.length, port.mtu)
            if need is not None:
                yield from _judged(own, link, row.headroom, need)


def _judged(own: End, link: Link, found: int, need: Need) -> Iterator[Violation]:
    cable = f"at {format_speed(link.speed)} over {link.length:g} m"
    path, measured = f"{own.node}.buffers.{own.port}", f"{found} bytes"
    if found < need.least:
        yield Violation(
            path=path,
            message=f"the headroom of {own} is less than what arrives {cable} even from a peer that stops at once: "
            "lossless traffic is dropped",
            measured=measured,
            bound=f"at least {need.least} bytes, {need.auto} to be safe",
            fix=f"write auto, or {need.auto}B",
        )
    elif found * 100 < need.buffer * (100 - _TOLERANCE):
        yield Violation(
            path=path,
            message=f"the headroom of {own} is less than what can arrive {cable} from a slow peer in small packets",
            measured=measured,
            bound=f"about {need.buffer} bytes",
            fix=f"write auto, or {need.auto}B",
            severity=Severity.WARNING,
        )

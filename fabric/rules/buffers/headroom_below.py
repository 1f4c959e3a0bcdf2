"""Headroom holds at least what arrives in any case after the sender was asked to pause.

What it does
    Compares the headroom of each port on which a priority is paused with what certainly still arrives there: one frame
    that is already under way, the pause frame, and what the cable holds, both ways. A port that is designed with
    headroom and was read without any has none.

Why
    A pause takes time to arrive. What the sender has sent until then must fit above the threshold; what does not is
    dropped, from a class that was promised to be lossless. It happens under load only, so no test on an idle fabric
    finds it.

Fails
    ``headroom: 10KB`` at 400G, 5 m and MTU 9000: 11,606 bytes arrive even from a peer that stops at once.
    The second part of a port that was broken out, for which the system wrote no profile.

Passes
    ``headroom: auto``; ``headroom: 434KB`` there; any value on a model whose chip is not known, or without a length.

Options
    None. It cannot be waived: it is a certain loss.

Known limits
    More than that may still be too little: what late peers and small packets need is asked by buffers.headroom-short.
    Whether all ports together fit into the buffer is not asked here, nor what a shared headroom pool lends.

Source
    IEEE 802.1Q annex N and IEEE 802.3 annex 31B. None of the tables that vendors ship for chips with known constants is
    below this bound at 100G and more and up to 1000 m. Catalogue code G01.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import Headroom, headrooms
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR
CERTAIN_LOSS = True


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per port with less headroom than what arrives in any case."""
    for each in headrooms(network):
        found, need = each.row.headroom, each.need
        if need is not None and _lost(each, network, design):
            found = 0
        if need is None or isinstance(found, Absent) or found >= need.least:
            continue
        yield Violation(
            path=each.path,
            message=f"the headroom of {each.own} is less than what arrives {each.cable} even from a peer that stops at "
            "once: lossless traffic is dropped",
            measured=f"{found} bytes",
            bound=f"at least {need.least} bytes, {need.auto} to be safe",
            fix=f"write auto, or {need.auto}B",
            cause=f"{each.path}.headroom",
        )


def _lost(each: Headroom, network: Network, design: Design) -> bool:
    """Tell whether a port is designed with a buffer of its own, and its switch was read and has nothing for it."""
    facet = network.nodes[each.own.node].settings.get(Buffers)
    wanted = design.network.nodes.get(each.own.node)
    if isinstance(facet, Absent) or wanted is None:
        return False
    return each.own.port in wanted.settings.rows(Buffers) and each.own.port not in facet.rows

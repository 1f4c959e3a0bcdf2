"""Headroom stands for a cable at least as long as the one that is there.

What it does
    Compares the length of cable for which the headroom of a port was computed with the length of its cable. Shorter is
    an error; only a warning where the headroom is as large as the chip needs for the real cable all the same.

Why
    Each metre holds 5 ns of line rate, both ways. A profile for 5 m on a cable of 40 m lacks 17.5 KB at 400G, times
    what small packets waste, and the first long pause drops that much. A system that computes headroom itself computes
    it anew from the length that it was told.

Fails
    A profile for 5 m (as read from the switch) on a port with a cable of 30 m.

Passes
    A profile for 40 m there. Ports whose profile names no length, and cables without a length.

Options
    None.

Known limits
    Where the headroom is known to be too small, buffers.headroom-below or buffers.headroom-short says so, with this
    length as the reason, and this rule is silent.

Source
    IEEE 802.1Q annex N: the delay of the medium is part of headroom. Catalogue code B11.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import headrooms
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port whose headroom stands for a shorter cable."""
    for each in headrooms(network):
        length = each.row.length
        if isinstance(length, Absent) or length >= each.link.length or each.small:
            continue
        enough = ", and is large enough all the same" if each.judged else ""
        yield Violation(
            path=each.path,
            message=f"the headroom of {each.own} was computed for {length:g} m, and its cable is longer{enough}",
            measured=f"{length:g} m",
            bound=f"at least {each.link.length:g} m",
            fix=f"set the length of {each.own} to {each.link.length:g} m, or the headroom to auto",
            severity=Severity.WARNING if each.judged else Severity.ERROR,
        )

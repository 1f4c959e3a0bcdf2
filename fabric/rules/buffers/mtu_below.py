"""Headroom stands for frames at least as large as those that the port takes.

What it does
    Compares the MTU for which the headroom of a port was computed with the MTU that the port is set to. Smaller is an
    error; only a warning where the headroom is as large as the chip needs for the real MTU all the same.

Why
    A whole frame is under way at each end when the pause is sent. Headroom for frames of 1500 bytes lacks two times
    7500 bytes where frames of 9000 are sent, times what small packets waste in cells.

Fails
    A profile for MTU 1500 (as read from the switch) on a port whose MTU is 9000.

Passes
    A profile for MTU 9000 or 9216 there. Ports whose profile names no MTU.

Options
    None.

Known limits
    Where the headroom is known to be too small, buffers.headroom-below or buffers.headroom-short says so, with this
    MTU as the reason, and this rule is silent.

Source
    IEEE 802.1Q annex N: the largest frame is part of headroom at both ends. Catalogue code G10.

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
    """Yield one violation per port whose headroom stands for smaller frames."""
    for each in headrooms(network):
        found, mtu = each.row.mtu, each.mtu
        if isinstance(found, Absent) or isinstance(mtu, Absent) or found >= mtu or each.small:
            continue
        enough = ", and is large enough all the same" if each.judged else ""
        yield Violation(
            path=each.path,
            message=f"the headroom of {each.own} was computed for MTU {found}, and the port takes larger ones{enough}",
            measured=f"MTU {found}",
            bound=f"at least MTU {mtu}",
            fix=f"compute the headroom of {each.own} for MTU {mtu}, or set it to auto",
            severity=Severity.WARNING if each.judged else Severity.ERROR,
        )

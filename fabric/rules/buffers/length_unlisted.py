"""A switch that looks its headroom up finds a row for speed and cable.

What it does
    Looks at ports under SONiC that pause a priority and whose headroom the intent leaves to the switch. Published
    tables of the chip must have a row for the speed, and one for the length of the cable or a longer one. Where the
    switch was read, the length that it looks up must be one of those of its tables.

Why
    SONiC takes the headroom from a table by exact speed and length. Where there is no such row the port gets no
    headroom at all, and its lossless priorities drop; a row for a shorter cable would do so under load.

Fails
    A lossless port at 400G over 600 m on Tomahawk 5, without ``buffers.headroom``: the longest row is for 500 m.

Passes
    The same over 20 m: there are rows for 30 m, and the nearest longer one is used. ``headroom: auto`` or a size.

Options
    None.

Known limits
    The rows are those of all devices with the chip; one device may have fewer. Spectrum switches in the dynamic buffer
    model compute instead of looking up.

Source
    sonic-net/sonic-buildimage 086b03bd, pg_profile_lookup.ini of all devices; the buffer manager of sonic-swss looks up
    by speed and cable length. Catalogue code G03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import Headroom, headrooms
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.units import format_speed

SEVERITY = Severity.ERROR
_SYSTEM = "sonic"


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port for which its switch finds no row."""
    for each in headrooms(network):
        if isinstance(each.row.headroom, Absent) and network.nodes[each.own.node].system == _SYSTEM:
            yield from _looked_up(each)


def _looked_up(each: Headroom) -> Iterator[Violation]:
    chip, told = each.chip, each.row.length
    if chip is None or not chip.lengths or not each.link.length:
        return
    rows = chip.lengths.get(each.link.speed, ())
    longer = [length for length in rows if length >= each.link.length]
    speed, listed = format_speed(each.link.speed), ", ".join(f"{length} m" for length in rows)
    if not longer:
        yield Violation(
            path=each.path,
            message=f"{each.own} leaves its headroom to the switch, and no published table of {chip.name} has a row "
            f"for {speed} over {each.link.length:g} m",
            measured=f"{each.link.length:g} m",
            bound=f"rows for {speed}: {listed or 'none'}",
            fix="write buffers.headroom: auto, or a size",
        )
    elif not isinstance(told, Absent) and told not in rows:
        yield Violation(
            path=each.path,
            message=f"{each.own} looks its headroom up for {told:g} m, for which no published table of {chip.name} has "
            f"a row at {speed}",
            measured=f"{told:g} m",
            bound=f"rows for {speed}: {listed}",
            fix=f"set the length of {each.own} to {longer[0]} m, the nearest longer row",
        )

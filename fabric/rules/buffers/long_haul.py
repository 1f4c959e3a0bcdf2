"""A cable of more than 2 km is lossless only with headroom for its length.

What it does
    Looks for ports that pause a priority over a cable of more than 2000 m where the chip is not known to be without a
    deep buffer. Their headroom must be known, and at least one frame and what the cable holds, both ways.

Why
    Between sites, what is under way when the pause is sent is many megabytes: 80 km at 400G hold 40 MB, and vendors
    set aside 53 MB per priority for it. Without that headroom the pause comes too late for all of it.

Fails
    ``length_m: 80000`` at 400G between switches of which no chip is known, with a lossless class and without headroom,
    or with ``headroom: 10MB``.

Passes
    ``headroom: 53MB`` there; no lossless class on that cable.

Options
    None.

Known limits
    Peers outside of the design (``external``) have no length. On chips whose formula is known, a headroom that is too
    small is a matter of buffers.headroom-below; on chips without a deep buffer, of buffers.long-cable.

Source
    Light takes 5 ns a metre in fibre; the published table of Arista 7280DR3A for 80 km (sonic-net/sonic-buildimage
    086b03bd, pg_profile_lookup.ini). Catalogue code E09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import LONG, headrooms, is_deep
from fabric.design.headroom import certain
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port with a lossless cable between sites and without headroom for it."""
    for each in headrooms(network):
        chip, found = each.chip, each.row.headroom
        if each.link.length <= LONG or isinstance(each.mtu, Absent) or each.judged:
            continue
        if chip is not None and chip.buffer is not None and not is_deep(chip):
            continue
        least = certain(each.link.speed, each.link.length, each.mtu)
        if isinstance(found, Absent) or found < least:
            yield Violation(
                path=each.path,
                message=f"{each.own} pauses {each.cable}, and headroom for what that cable holds is not there",
                measured="no headroom" if isinstance(found, Absent) else f"{found} bytes",
                bound=f"at least {least} bytes",
                fix=f"keep the lossless classes off this cable, or give {each.own} headroom for it",
            )

"""A paused sender may go on at least a cell below the threshold at which it was paused, better two frames.

What it does
    Looks at where a priority group asks the sender to go on: ``xon_offset`` bytes below its threshold, or at ``xon``
    bytes where the threshold is fixed (``static``). Less than a cell below the threshold is an error; a note says
    where an offset is less than two of the largest RDMA packets.

Why
    Where both are the same, every packet that leaves sends a resume and every one that arrives a pause. Pauses then
    come in bursts, and the sender is stopped half of the time for no reason.

Fails
    ``xon_offset`` 0 (error), or 2288 bytes with RDMA packets of 4178 bytes (note).

Passes
    ``xon_offset`` 18432; a switch of which neither is read.

Options
    None.

Known limits
    SONiC ships offsets from 2288 to 4200 bytes on merchant chips: enough for RDMA packets of 1024 to 2018 bytes, and
    in use with larger ones: hence a note. Where thresholds move with the free buffer, ``xon`` alone says nothing.

Source
    Own reasoning for two frames; sonic-net/sonic-buildimage, column xon_offset of pg_profile_lookup.ini; HPCC (Li et
    al., SIGCOMM 2019) simulates 3 KiB. Catalogue code E08.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.headrooms import Headroom, headrooms
from fabric.analysis.limits import RDMA_HEADERS, largest_rdma_mtu
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.ERROR
_FRAMES = 2


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port that resumes too near to its threshold."""
    rdma_mtu = largest_rdma_mtu(network)
    wanted = _FRAMES * (rdma_mtu + RDMA_HEADERS) if rdma_mtu else 0
    for each in headrooms(network):
        below = _below(each)
        if below is None:
            continue
        cell = each.chip.cell if each.chip else 1
        if below < cell:
            yield _violation(each, below, cell, "every packet sends a pause or a resume", Severity.ERROR)
        elif below < wanted and not isinstance(each.row.xon_offset, Absent):
            yield _violation(each, below, wanted, "that is less than two RDMA packets", Severity.NOTE)


def _below(each: Headroom) -> int | None:
    """Return how many bytes below the threshold the sender is asked to go on; ``None`` where it is not known."""
    row = each.row
    if not isinstance(row.xon_offset, Absent):
        return row.xon_offset
    return None if isinstance(row.xon, Absent) or isinstance(row.static, Absent) else row.static - row.xon


def _violation(each: Headroom, below: int, wanted: int, why: str, severity: Severity) -> Violation:
    return Violation(
        path=each.path,
        message=f"{each.own} asks a paused sender to go on close to the threshold at which it paused it: {why}",
        measured=f"{below} bytes below it",
        bound=f"at least {wanted} bytes below it",
        fix=f"set the offset of {each.own} to {wanted} bytes or more",
        severity=severity,
    )

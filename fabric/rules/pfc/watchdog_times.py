"""A watchdog acts in time, and does not come back too soon.

What it does
    Looks at the times of watchdogs: detection between 100 and 400 ms, restoration not shorter than detection, both not
    shorter than the interval at which the system looks; and that it drops or forwards: an alert ends no pause.

Why
    Until it acts, a stuck pause spreads, and within a second or so connections give up: RDMA retries a few times and
    ends the job. A queue that is trusted again after less quiet than it took to distrust it flaps. An interval longer
    than the detection time makes that time a wish.

Fails
    ``detect: 200s`` (for 200ms); ``{detect: 200ms, restore: 100ms}``; ``action: alert``.

Passes
    ``{detect: 200ms, restore: 400ms, action: drop}``; 100 and 400 ms themselves; equal times.

Options
    None.

Known limits
    A detection time so short that pauses of a long incast are taken for a storm is for pfc.watchdog-hasty, and not
    reported here as well. Ports without a cable of the design are not judged.

Source
    SONiC, PFC watchdog (200 ms detection and 200 to 400 ms restoration in common use; times below the polling interval
    are refused). Catalogue code E05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.ends import several
from fabric.analysis.pauses import least_detection, watched
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import End, Network
from fabric.settings.watchdog import Watch
from fabric.units import format_duration

SEVERITY = Severity.WARNING

_SOONEST, _LATEST = 100, 400

Said = tuple[str, str, str, str]


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per way in which times are wrong, at the first port that has it."""
    slowest: dict[int, tuple[int, Watch]] = {}
    for _, speed, row in watched(network):
        if id(row) not in slowest or speed < slowest[id(row)][0]:
            slowest[id(row)] = speed, row
    wrong = {id(row): tuple(_wrong(row, row.detect < least_detection(speed))) for speed, row in slowest.values()}
    if not any(wrong.values()):
        return
    found: dict[Said, list[End]] = {}
    for end, _, row in watched(network):
        for said in wrong[id(row)]:
            found.setdefault(said, []).append(end)
    for (what, bound, fix, key), ends in found.items():
        path = f"{ends[0].node}.watchdog.{ends[0].port}"
        message = f"the watchdog of {several(ends)} has {what}"
        yield Violation(path, message, what, bound, fix, cause=f"pfc.watchdog.{key}")


def _wrong(row: Watch, hasty: bool) -> Iterator[Said]:
    """Yield what is wrong, its bound, what mends it, and the key of ``pfc.watchdog`` that says it."""
    detect, restore = format_duration(row.detect), format_duration(row.restore)
    if row.detect > _LATEST or (row.detect < _SOONEST and not hasty):
        yield f"detection {detect}", f"{_SOONEST} to {_LATEST} ms", "write pfc.watchdog.detect: 200ms", "detect"
    if row.restore < row.detect:
        said = f"restoration {restore} after detection {detect}"
        yield said, f"at least {detect}", f"write pfc.watchdog.restore: {format_duration(2 * row.detect)}", "restore"
    if not isinstance(row.poll, Absent) and min(row.detect, row.restore) < row.poll:
        poll = format_duration(row.poll)
        said = f"detection {detect} and restoration {restore}, and looks every {poll}"
        yield said, f"at least {poll}", f"let it look every {format_duration(min(row.detect, row.restore))}", "detect"
    if row.action == "alert":
        yield "action alert", "drop or forward", "write pfc.watchdog.action: drop", "action"

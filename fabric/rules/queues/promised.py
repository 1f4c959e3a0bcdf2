"""Limits of strict queues and the shares of RDMA together are no more than the link.

What it does
    On each port with a cable, adds up the limits of the strict queues that have one, and the share of the link that the
    queues of RDMA classes are promised: together at most the speed of the cable. Of ports that are scheduled alike the
    slowest counts.

Why
    Strict queues are served first, and shares divide what is left. With a limit of 60 % on a strict queue and a share
    of 80 % for RDMA, RDMA has 32 % of the link while the strict queue is busy, although the file says 80 %; a lossless
    class then pauses its senders for traffic of another class.

Fails
    ``video: {strict: true, limit: 6G}`` beside ``rdma: {share: 80%}`` on a cable of 10G: 14G of 10G.

Passes
    ``limit: 2G`` there.

Options
    None.

Known limits
    A limit is what a queue may take, not what it does take. Strict queues without a limit are a matter of
    queues.strict-unbounded; RDMA that is itself strict has no share. A system that divides the whole link by shares,
    strict queues included, would do with less.

Source
    IEEE 802.1Qaz (shares divide what strict priority leaves). Catalogue codes H02, H03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.schedulers import schedulers
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.facet import Absent
from fabric.settings.network import Network
from fabric.settings.queues import Queue
from fabric.units import format_speed

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per kind of port whose strict queues may take what RDMA is promised."""
    rdma = {found.queue: found.name for found in design.classes if found.rdma}
    strict_of = {found.queue: found.name for found in design.classes if found.strict}
    for used in schedulers(network):
        queues = used.scheduler.queues
        limits = {queue.number: limit for queue in queues if (limit := _limit(queue))}
        promised = [queue for queue in queues if queue.number in rdma and queue.share]
        speeds = [network.ends[end][0].speed for end in used.ports if limits and promised and end in network.ends]
        if not speeds:
            continue
        speed, share, taken = min(speeds), sum(queue.share for queue in promised), sum(limits.values())
        if 100 * taken + speed * share > 100 * speed:
            names = ", ".join(rdma[queue.number] for queue in promised)
            first = next((strict_of[number] for number in limits if number in strict_of), None)
            left = max(speed - taken, 0) * share // 100
            yield Violation(
                path=used.path,
                message=f"strict queues of {used.where} may take {format_speed(taken)} of {format_speed(speed)}, and "
                f"{names} is promised {share}%: {format_speed(left)} are left of it while they are busy",
                measured=f"{format_speed(taken)} + {share}% of {format_speed(speed)}",
                bound=f"at most {format_speed(speed)} together",
                fix=f"lower the limits to {format_speed(speed * (100 - share) // 100)} in all, or lower the share",
                cause=f"classes.{first}.limit" if first else "",
            )


def _limit(queue: Queue) -> int:
    """Return the limit (bit/s) of a strict queue; 0 of any other, and where there is none."""
    return 0 if not queue.strict or isinstance(queue.limit, Absent) or queue.limit is None else queue.limit

"""RDMA has half of a link, or more.

What it does
    Adds up the shares of the queues of all RDMA classes on each port that carries all of them: less than 50 % together
    is a warning. A strict queue has all of it.

Why
    A share is what a class gets of a full link. Collective operations wait for the slowest flow, so RDMA that is served
    less than half of a link makes a job as slow as that link.

Fails
    One RDMA class with ``share: 40%``.

Passes
    One with 60 %; two with 30 % and 20 %; a strict one.

Options
    None.

Known limits
    Ports that do not carry all RDMA classes (``edge``) are not judged, as what they are for is not known. A back-end
    fabric wants more, 80 % and up. A queue that lost its share on a port is a matter of classes.chain-broken.

Source
    NVIDIA's RoCE presets give RDMA one half. Catalogue code H03.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.schedulers import schedulers
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING
_LEAST = 50


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per kind of port on which RDMA has too little."""
    rdma = [found for found in design.classes if found.rdma]
    wanted = {found.queue: found.share for found in rdma}
    names = [found.name for found in rdma]
    for used in schedulers(network):
        rows = [queue for queue in used.scheduler.queues if queue.number in wanted]
        if not wanted or len(rows) < len(wanted) or any(queue.strict for queue in rows):
            continue
        if any(not queue.share and wanted[queue.number] for queue in rows):
            continue
        share = sum(queue.share for queue in rows)
        if share < _LEAST:
            yield Violation(
                path=used.path,
                message=f"{', '.join(names)} {'have' if len(names) > 1 else 'has'} {share}% of the link on "
                f"{used.where}: other traffic may make RDMA as slow as that",
                measured=f"{share}%",
                bound=f"at least {_LEAST}%",
                fix="raise the share of an RDMA class, and lower others so that all add up to 100%",
                cause=f"classes.{names[0]}.share",
            )

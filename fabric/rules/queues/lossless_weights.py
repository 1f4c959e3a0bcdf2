"""Each of several lossless queues has a share.

What it does
    On ports that pause two priorities or more in queues of their own: each of these queues must have a share, and none
    may be strict.

Why
    Lossless traffic that is not served is not dropped, it waits, and pauses its senders. A lossless queue that the
    others starve, or that a strict lossless queue starves, stops its whole class up to the hosts.

Fails
    Classes ``storage: {lossless: true, strict: true, limit: 100G}`` and ``gradients: {lossless: true, share: 60%}``.

Passes
    Shares of 40 % and 30 %; one lossless class, strict or not.

Options
    None.

Known limits
    Two lossless priorities in one queue share it, and are a matter of classes.shared-queue; lossless CNPs are one of
    classes.cnp-lossless.

Source
    A judgement from head-of-line blocking between classes under PFC. Catalogue code H05.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.analysis.lossless_queues import lossless_queues
from fabric.design.classes import CNP
from fabric.design.model import Design
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.WARNING


def check(network: Network, design: Design) -> Iterator[Violation]:
    """Yield one violation per port and lossless queue that is strict or has no share beside another."""
    cnp = {each.queue for each in design.classes if each.name == CNP}
    for node in network.nodes.values():
        for port, found in lossless_queues(node):
            queues = [queue for queue in found if queue.number not in cnp]
            if len(queues) < 2:
                continue
            for queue in queues:
                if queue.strict or not queue.share:
                    said = "served first" if queue.strict else "without a share"
                    yield Violation(
                        path=f"{node.name}.queues.{port}",
                        message=f"{node.name}:{port} has {len(queues)} lossless queues, and queue {queue.number} is "
                        f"{said}: one of them may be paused by another",
                        measured="strict" if queue.strict else "0%",
                        bound="a share for each of them",
                        fix="give each lossless class a share in the place of strict",
                    )

"""Jobs wait longer than a pause, and try again.

What it does
    Looks at ``timeout`` and ``retries`` of ``jobs.nccl`` where they are written: the timeout of a queue pair is
    4.096 us x 2^timeout, and it is sent again so many times before the job fails. Notes a timeout below 14 (67 ms), and
    fewer than 7 retries.

Why
    On a lossless fabric an acknowledgement can be late because its packet is paused, not lost. A short timeout sends
    everything again into the congestion, and few retries end a job that nothing was wrong with.

Fails
    ``jobs: {nccl: {class: rdma, timeout: 13}}``: 34 ms. ``retries: 6``.

Passes
    ``timeout: 14``; ``timeout: 20, retries: 7``, which NCCL uses by itself; neither written.

Options
    None.

Known limits
    What a job's own environment says (NCCL_IB_TIMEOUT, NCCL_IB_RETRY_CNT) is not seen.

Source
    InfiniBand Architecture Specification, local ACK timeout (4.096 us x 2^n, five bits) and retry count (three bits);
    NVIDIA NCCL documentation, NCCL_IB_TIMEOUT and NCCL_IB_RETRY_CNT. Catalogue code I11.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE

_TIMEOUT, _RETRIES = 14, 7


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation for a short timeout, and one for few retries."""
    nccl = document.intent.jobs.nccl if document.intent.jobs else None
    if nccl is None:
        return
    if nccl.timeout is not None and nccl.timeout < _TIMEOUT:
        yield Violation(
            path="jobs.nccl.timeout",
            message=f"jobs send again after {4.096 * 2**nccl.timeout / 1000:.3g} ms without an acknowledgement: "
            "a pause can last longer",
            measured=str(nccl.timeout),
            bound=f"at least {_TIMEOUT}",
            fix=f"write timeout: {_TIMEOUT} or more, or take it away: NCCL uses 20",
        )
    if nccl.retries is not None and nccl.retries < _RETRIES:
        yield Violation(
            path="jobs.nccl.retries",
            message=f"jobs fail after {nccl.retries} retries",
            measured=str(nccl.retries),
            bound=f"at least {_RETRIES}",
            fix=f"write retries: {_RETRIES}, or take it away: NCCL uses {_RETRIES}",
        )

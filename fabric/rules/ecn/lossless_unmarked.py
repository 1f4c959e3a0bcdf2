"""Lossless RDMA slows down before it is paused.

What it does
    Reports RDMA classes that are lossless, have no ``ecn``, and for which ``congestion`` is not written.

Why
    Without marks nothing tells senders to slow down but the pause itself. It works, and it spreads: a pause stops a
    whole priority of a link, so flows that have nothing to do with the congestion stand still, hop by hop back to their
    senders. Some fabrics are run so on purpose, with receivers that pace their senders; then the file should say so.

Fails
    ``rdma: {rdma: true, lossless: true}`` without ``ecn`` and without ``congestion``.

Passes
    The same with ``ecn``; with ``congestion: pfc-only``, or ``congestion: nic`` where NICs control it by themselves.

Options
    None.

Known limits
    Whether thresholds come before the pause is a question of buffers, and not asked here.

Source
    DCQCN (Zhu et al., SIGCOMM 2015) section 2 for what pauses alone do. Catalogue code F01.

Since
    0.2
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per lossless RDMA class of which the file does not say how senders slow down."""
    for name, each in document.intent.classes.items():
        if each.rdma and each.lossless and each.ecn is None and each.congestion is None:
            yield Violation(
                path=f"classes.{name}",
                message=f"class {name} is lossless and unmarked: only pauses slow its senders down",
                measured="no ecn",
                bound="ecn, or congestion written",
                fix=f"add ecn to {name}, or congestion: pfc-only if that is meant",
            )

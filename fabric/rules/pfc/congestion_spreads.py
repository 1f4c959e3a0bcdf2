"""Without congestion control, pauses spread.

What it does
    Notes each lossless class that has no other congestion control than PFC, in a fabric of more than one tier of
    switches.

Why
    It is legal, and runs in large fabrics. But where nothing slows senders down, the queue of a slow receiver is ended
    by pauses alone: its leaf stops the spines, and these stop all leaves, with traffic to other receivers. Fabrics that
    do without ECN have spines with deep buffers, or libraries in which the receiver decides when senders send.

Fails
    ``congestion: pfc-only`` with leaves and spines (a note).

Passes
    ``congestion: dcqcn``, ``ecn-only`` or ``nic``; ``pfc-only`` on a single switch.

Options
    None.

Known limits
    Buffers of spines and the pacing of receivers are not known here: it is for the reader to judge. Where the file says
    neither ``ecn`` nor ``congestion``, ecn.lossless-unmarked asks what is meant.

Source
    Gangidi et al., RDMA over Ethernet for Distributed AI Training at Meta Scale, SIGCOMM 2024 (no DCQCN at 400G;
    receiver-driven admission, deep-buffer switches). Catalogue code I09.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.design.model import Design
from fabric.intent.document import Document
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.NOTE


def check(document: Document, design: Design) -> Iterator[Violation]:
    """Yield one violation per class that only pauses slow down, where there is more than one tier of switches."""
    tiers = len({node.tier for node in design.network.nodes.values() if node.kind == "switch"})
    for found in design.classes:
        given = document.intent.classes[found.name]
        untold = given.rdma and given.ecn is None and given.congestion is None
        if tiers > 1 and found.lossless and found.congestion == "pfc-only" and not untold:
            yield Violation(
                path=f"classes.{found.name}.congestion",
                message=f"nothing but pauses slows class {found.name} down, and they spread over {tiers} tiers",
                measured="congestion pfc-only",
                bound="congestion control by marks or by the NIC, deep buffers, or receivers that pace their senders",
                fix=f"add ecn to class {found.name}, or keep it where spines or receivers are made for it",
            )

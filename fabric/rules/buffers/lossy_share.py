"""Lossy traffic leaves buffer to lossless traffic.

What it does
    Looks at ports whose dynamic thresholds are known: one congested lossy queue may take at most 60 % of what all
    queues share (alpha 3/2), else a warning. Where lossy queues have a larger alpha than lossless ones, a note says so.

Why
    A queue with alpha A takes up to A / (1 + A) of the shared buffer. What a lossy queue holds a lossless one cannot
    have: its threshold shrinks with the free buffer, and its senders are paused for traffic that is not theirs.

Fails
    ``lossy_alpha: 2``, 66.7 % (warning); ``{alpha: 1/8, lossy_alpha: 1}`` (note).

Passes
    ``{alpha: 1/8, lossy_alpha: 1/8}``; no ``lossy_alpha``.

Options
    None.

Known limits
    One lossy queue is judged; several congested ones take more together. Systems with a pool of its own for lossy
    traffic are safe from this, and not told apart.

Source
    A judgement on the dynamic threshold of Choudhury and Hahne (IEEE/ACM Transactions on Networking, 1998). SONiC ships
    alpha 8 for lossy traffic on many switches, so it is a warning at most. Catalogue code G12.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.facet import Absent
from fabric.settings.network import Network

SEVERITY = Severity.WARNING
_MOST = 1.5


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per port on which lossy traffic may take too much."""
    for node in network.nodes.values():
        for port, row in node.settings.rows(Buffers).items():
            if not isinstance(row.lossy_alpha, Absent):
                yield from _judged(f"{node.name}.buffers.{port}", f"{node.name}:{port}", row, row.lossy_alpha)


def _judged(path: str, where: str, row: PortBuffer, lossy: float) -> Iterator[Violation]:
    if lossy > _MOST:
        yield Violation(
            path=path,
            message=f"one lossy queue of {where} may take {100 * lossy / (1 + lossy):.1f}% of the shared buffer",
            measured=f"alpha {lossy:g}",
            bound=f"alpha at most {_MOST:g}, 60.0%",
            fix="write lossy_alpha: 1, or less",
            cause=f"{path}.lossy_alpha",
        )
    elif not isinstance(row.alpha, Absent) and row.alpha < lossy:
        yield Violation(
            path=path,
            message=f"lossy queues of {where} may grow larger than lossless ones before these are paused",
            measured=f"alpha {row.alpha:g} of lossless queues",
            bound=f"at least {lossy:g}, that of lossy queues",
            fix=f"write a lossy_alpha of at most {row.alpha:g}, or accept it",
            severity=Severity.NOTE,
            cause=f"{path}.lossy_alpha",
        )

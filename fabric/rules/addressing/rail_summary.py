"""The addresses behind a leaf lie together.

What it does
    Puts the prefixes of all NIC ports in order, and looks whose they are: those behind one leaf, or behind leaves that
    bonds join. Prefixes of two leaves that overlap are a warning. A leaf whose prefixes lie in more than 8 stretches,
    with prefixes of other leaves between them, is a note.

Why
    What lies together can be routed as one prefix, and a filter or a route per rail is one line. Scattered addresses
    are a route for each NIC on every switch and every host. Where prefixes of two rails overlap, what is sent to one
    NIC leaves by the route of the other.

Fails
    nic1 of gpu01, on leaf01, has 10.64.0.1/24 and its nic2, on leaf02, has 10.64.0.129/25.

Passes
    Computed addresses: a leaf has a block, or one for each part of a port that is broken out, at most 8.

Options
    None.

Known limits
    Leaves announce each prefix, whether they lie together or not. Stretches that begin at an odd place need more than
    one prefix each.

Source
    RFC 4632 section 4 (addresses that follow the topology, so that they can be summed up); RFC 7938 section 8.2 (what
    summing up at leaves costs when links fail). Eight stretches are a choice of ours: as many as a port has parts.
    Catalogue code A06.

Since
    0.3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from socket import AF_INET, AF_INET6, inet_pton

from fabric.analysis.logical import joined_by_bonds
from fabric.analysis.nic_addresses import nic_addresses
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import End, Network

SEVERITY = Severity.NOTE

_MOST = 8


@dataclass(frozen=True, slots=True)
class _Spans:
    """The prefixes of one family as rows of numbers: first and last address, leaf, NIC port, and as they are written.

    Rows, and no object for each: a large fabric has many.
    """

    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    leaf: list[str] = field(default_factory=list)
    end: list[End] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def add(self, leaf: str, end: End, written: str) -> None:
        """Add the prefix of an address with length."""
        address, _, length = written.partition("/")
        family, bits = (AF_INET6, 128) if ":" in address else (AF_INET, 32)
        number, size = int.from_bytes(inet_pton(family, address), "big"), bits - int(length or bits)
        self.first.append(number >> size << size)
        self.last.append(number | ((1 << size) - 1))
        self.leaf.append(leaf)
        self.end.append(end)
        self.written.append(written)

    def order(self) -> list[int]:
        """Return the numbers of the rows, in order of their first addresses."""
        return sorted(range(len(self.first)), key=self.first.__getitem__)


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation per prefix that overlaps one behind another leaf, and one per leaf that is scattered."""
    together = joined_by_bonds(network)
    spans = {4: _Spans(), 6: _Spans()}
    for row in nic_addresses(network):
        for address in row.addresses if row.leaves else ():
            leaf = together.get(row.leaves[0], row.leaves[0])
            spans[6 if ":" in address else 4].add(leaf, row.end, address)
    for found in spans.values():
        order = found.order()
        yield from _overlaps(found, order)
        yield from _scattered([found.leaf[at] for at in order])


def _overlaps(spans: _Spans, order: Sequence[int]) -> Iterator[Violation]:
    widest = order[0] if order else 0
    for at in order[1:]:
        if spans.first[at] <= spans.last[widest] and spans.leaf[at] != spans.leaf[widest]:
            yield Violation(
                path=f"{spans.end[at].node}.addresses.{spans.end[at].port} {spans.written[at]}",
                message=f"{spans.end[at]} behind {spans.leaf[at]} has {spans.written[at]}, and {spans.end[widest]} "
                f"behind {spans.leaf[widest]} has {spans.written[widest]}: the prefixes overlap",
                measured=f"{spans.written[at]} and {spans.written[widest]}",
                bound="prefixes of their own",
                fix="give the NICs of each leaf addresses of a block of its own",
                severity=Severity.WARNING,
            )
        if spans.last[at] > spans.last[widest]:
            widest = at


def _scattered(leaves: Sequence[str]) -> Iterator[Violation]:
    """Judge the leaves of all prefixes in order of addresses."""
    stretches = Counter(leaf for leaf, _ in groupby(leaves))
    for leaf, count in stretches.items():
        if count > _MOST:
            yield Violation(
                path=f"{leaf}.addresses",
                message=f"the addresses of the NICs behind {leaf} lie in {count} stretches, with those of other leaves "
                "between them",
                measured=f"{count} stretches",
                bound=f"{_MOST} stretches",
                fix="give the NICs of each leaf addresses that follow each other, or leave them to be computed",
            )

"""Address pools do not overlap.

What it does
    Compares the prefixes of ``addressing`` (loopbacks, links, hosts, router ids) with one another.

Why
    Addresses are carved from each pool on its own. Where two pools overlap, the same address is given out twice sooner
    or later, and a summary route for one pool attracts the traffic of the other.

Fails
    ``hosts: 10.64.0.0/12`` with ``links: 10.64.0.0/16``: the links lie within the hosts' pool.

Passes
    ``hosts: 10.64.0.0/12`` with ``links: 10.128.0.0/16``; pools that touch without overlapping.

Options
    None.

Known limits
    The management network is no part of the file; single addresses of it that are written are compared by
    addressing.management-in-pool.

Source
    RFC 4632 section 5.1 (the longest match wins, so that an overlapping aggregate attracts traffic). Catalogue code
    A03.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fabric.intent.document import Document
from fabric.intent.prefixes import IpNetwork
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(document: Document) -> Iterator[Violation]:
    """Yield one violation per pair of pools that overlap."""
    for (left, one), (right, other) in combinations(document.intent.addressing.pools(), 2):
        if left != right and one.version == other.version and _meet(one, other):
            yield Violation(
                path=f"addressing.{right}",
                message=f"the pool of {right} ({other}) overlaps the pool of {left} ({one})",
                measured=f"{min(one.num_addresses, other.num_addresses)} addresses in both",
                bound="0 addresses",
                fix=f"choose a prefix for {right} outside {one}",
            )


def _meet(one: IpNetwork, other: IpNetwork) -> bool:
    return one.network_address in other or other.network_address in one

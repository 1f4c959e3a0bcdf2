"""Nodes run the release that was tested.

What it does
    Compares, for each node of which the file gives a ``release``, the release that it reports with that one. A longer
    one of the same line (``202411.3`` where ``202411`` is written) is the same. Of a system that runs on another one
    (FRR on a Linux distribution) its own release counts.

Why
    Defaults change with the release: maps, thresholds, how the buffer is cut. What was judged and tested holds for the
    release that was meant.

Passes
    The node reports the release of the file.

Fails
    It reports another one.

Skips
    The node was not reached, or does not report its release.

Known limits
    Nodes without a ``release`` in the file are not judged: systems.release-open names them. Firmware of NICs is not
    read.

Source
    Gangidi et al., RDMA over Ethernet for distributed AI training at Meta scale, SIGCOMM 2024 (congestion control that
    changed with the firmware). Catalogue code L11.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, passed, skipped
from fabric.results import CheckResult
from fabric.settings.facet import Absent, Facet

FACETS: tuple[type[Facet[Any]], ...] = ()
SAMPLES = 1


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per node with a release in the file that was asked."""
    for name, node in seen.design.network.nodes.items():
        wanted = node.facts.release
        if isinstance(wanted, Absent) or not asked(seen, name):
            continue
        if name not in seen.readings:
            yield skipped(name, f"{name} was not reached")
            continue
        facts = seen.readings[name].facts
        found = facts.features.get(f"{facts.system}.version", facts.release)
        if isinstance(found, Absent):
            yield skipped(name, f"{name} does not report its release", announced=True)
        elif _same(found, wanted):
            yield passed(name, f"{name} runs release {found}")
        else:
            message = f"{name} runs release {found}, and {wanted} was designed for"
            yield failed(name, message, wanted, found)


def _same(found: str, wanted: str) -> bool:
    """Tell whether a release is the one that is wanted, or one of its line."""
    return found == wanted or (found.startswith(wanted) and not found[len(wanted)].isalnum())

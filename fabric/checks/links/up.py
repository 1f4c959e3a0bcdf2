"""Every designed link is up at both ends.

What it does
    Looks at the operational state of both ports of each link of the design.

Why
    A link that is down takes its share of every path with it; the rest still works, so that nobody notices until a
    job is slow.

Passes
    Both ports are up.

Fails
    One of the ports is down, or the node reports no such port.

Skips
    An end could not be looked at, and the other one is up; or the design switches one of the ports off.

Known limits
    Light and a partner say nothing about errors on the link.

Source
    The state of ports, as the node's kernel or system reports it.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, look, passed, skipped
from fabric.checks.shut import shut_end
from fabric.results import CheckResult
from fabric.settings.network import End, Link
from fabric.settings.state.ports import Ports

FACETS = (Ports,)
SAMPLES = 1


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per link with an end that was asked."""
    for link in seen.design.network.links:
        ends = tuple(end for end in (link.a, link.b) if asked(seen, end.node))
        shut = shut_end(seen.design.network, link) if ends else None
        if shut is not None:
            yield skipped(
                str(ends[0]), f"the link {link.a} - {link.b}: {shut} is switched off by design", announced=True
            )
        elif ends:
            yield _link(seen, link, ends)


def _link(seen: Seen, link: Link, ends: tuple[End, ...]) -> CheckResult:
    name = f"the link {link.a} - {link.b}"
    down: list[str] = []
    unseen: list[CheckResult] = []
    for end in ends:
        ports = look(seen, end.node, Ports)
        if isinstance(ports, CheckResult):
            unseen.append(ports)
        elif end.port not in ports.rows:
            down.append(f"{end} is not there")
        elif not ports.rows[end.port].up:
            down.append(f"{end} is down")
    if down:
        return failed(str(ends[0]), f"{name} is not up: {', '.join(down)}", "up", ", ".join(down))
    if unseen:
        reasons = ", ".join(dict.fromkeys(skip.message for skip in unseen))
        return skipped(str(ends[0]), f"{name}: {reasons}", announced=all(skip.announced for skip in unseen))
    return passed(str(ends[0]), f"{name} is up")

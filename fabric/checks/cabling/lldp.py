"""Every cable ends where the design says.

What it does
    Compares, for both ends of each link, the neighbour that LLDP heard with the other end of the link in the design.
    When two cables explain what was heard, it names them. It also names cables between nodes of the design, at ports of
    switches, of which the design knows nothing.

Why
    Two swapped cables leave all links up and all sessions established, and put a NIC on the wrong rail or a leaf on
    the wrong spine. The damage shows only under load.

Passes
    Each end that could be looked at hears its designed neighbour.

Fails
    An end hears another neighbour, or nothing at all; a port without a cable by design hears a node of the design.

Skips
    No end of the link reports neighbours, or the nodes were not reached; or the design switches one of the ports off.

Known limits
    LLDP needs up to one interval (30 s by default) after a change. Names are compared up to the first dot.

Source
    IEEE 802.1AB (what a neighbour says of itself). Catalogue code B14.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, look, passed, skipped
from fabric.checks.shut import shut_end
from fabric.results import CheckResult
from fabric.settings.facet import Absent
from fabric.settings.network import End, Link, Network
from fabric.settings.state.neighbours import Neighbours

FACETS = (Neighbours,)
SAMPLES = 1


@dataclass(frozen=True, slots=True)
class _Heard:
    """What was heard per end (``None``: nothing), and per node why nothing could be."""

    ends: Mapping[End, End | None]
    unseen: Mapping[str, CheckResult]


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield one result per link with an end that was asked."""
    network = seen.design.network
    heard = _listen(seen)
    for link in network.links:
        ends = tuple(end for end in (link.a, link.b) if asked(seen, end.node))
        shut = shut_end(network, link) if ends else None
        if shut is not None:
            said = f"the cable {link.a} - {link.b}: {shut} is switched off by design"
            yield skipped(str(ends[0]), said, announced=True)
        elif ends:
            yield _link(network, heard, link, ends)
    yield from _beyond(seen)


def _beyond(seen: Seen) -> Iterator[CheckResult]:
    """Yield one failure per cable that joins two nodes of the design at ports that have none."""
    network = seen.design.network
    known: set[frozenset[End]] = set()
    for name in (name for name, node in network.nodes.items() if node.kind == "switch" and name in seen.readings):
        ports = network.nodes[name].facts.ports
        for port, row in seen.readings[name].state.rows(Neighbours).items():
            end, far = End(name, port), End(row.node.partition(".")[0], row.port)
            ours = not isinstance(ports, Absent) and port in ports and far.node in network.nodes
            if ours and network.ends.keys().isdisjoint((end, far)) and frozenset((end, far)) not in known:
                known.add(frozenset((end, far)))
                yield failed(str(end), f"the design has no cable {end} - {far}", "no cable", f"{end} hears {far}")


def _listen(seen: Seen) -> _Heard:
    ends: dict[End, End | None] = {}
    unseen: dict[str, CheckResult] = {}
    for name, links in seen.design.network.links_of.items():
        neighbours = look(seen, name, Neighbours) if asked(seen, name) else None
        if isinstance(neighbours, CheckResult):
            unseen[name] = neighbours
        elif neighbours is not None:
            for _, own, _ in links:
                row = neighbours.rows.get(own.port)
                ends[own] = End(row.node.partition(".")[0], row.port) if row else None
    return _Heard(ends, unseen)


def _link(network: Network, heard: _Heard, link: Link, ends: tuple[End, ...]) -> CheckResult:
    name = f"the cable {link.a} - {link.b}"
    listening = tuple(end for end in ends if end in heard.ends)
    if not listening:
        skips = tuple(heard.unseen[end.node] for end in ends)
        reasons = ", ".join(dict.fromkeys(skip.message for skip in skips))
        return skipped(str(ends[0]), f"{name}: {reasons}", announced=all(skip.announced for skip in skips))
    wrong = {end: heard.ends[end] for end in listening if heard.ends[end] != network.ends[end][1]}
    if not wrong:
        return passed(str(ends[0]), f"{name} is where it should be")
    found = ", ".join(f"{end} hears {other or 'nothing'}" for end, other in wrong.items())
    expected = ", ".join(f"{end} hears {network.ends[end][1]}" for end in wrong)
    return failed(str(ends[0]), name + (_cause(network, heard, link, wrong) or f": {found}"), expected, found)


def _cause(network: Network, heard: _Heard, link: Link, wrong: Mapping[End, End | None]) -> str:
    """Name the cable that this one is swapped with, when that explains what was heard, or say that nothing was."""
    if not any(wrong.values()):
        return f": nothing heard at {' and '.join(map(str, wrong))}"
    for end, other in wrong.items():
        if other is None or other not in network.ends:
            continue
        exchanged, its_end = network.ends[other]
        if exchanged != link and heard.ends.get(its_end) == network.ends[end][1]:
            return f" is swapped with the cable {exchanged.a} - {exchanged.b}"
    return ""

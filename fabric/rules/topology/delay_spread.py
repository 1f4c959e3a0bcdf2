"""Near and far hosts are about equally far (printed on request).

What it does
    Works out the base round trip of the two hosts that are nearest to each other and of the two that are farthest
    apart: twice the sum of 0.6 us for each NIC, 0.8 us for each switch and 5 ns for each metre. Where the longest is
    more than three times the shortest, this is a warning.

Why
    Where marking begins is reckoned from speed times round trip. One pair of thresholds serves both: what leaves room
    for the far pair lets a queue grow for the near one, and what is short enough for the near pair marks the far one
    before its pipe is full.

Fails
    Hosts 5 m below one leaf (4.1 us), and others over a site with 2 km of fibre to the superspines (over 40 us).

Passes
    5 m to the leaf and 30 m to the spine: 4.1 us and 7.9 us, a factor of 1.9. It is printed as a note.

Options
    Runs only when it is asked for: ``--select topology.delay-spread``.

Known limits
    Queues are not counted. Switches that forward in software are as fast as they are: such fabrics are not judged, nor
    are those with a cable without a length.

Source
    Zhu et al., ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT 2016 (1 to 2 us a hop); the
    figures per NIC and switch are the assumptions with which thresholds are computed, and three a choice of ours.
    Catalogue code B15.

Since
    0.3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.design.chips import has_chip
from fabric.design.round_trip import HOP, METRE, NIC
from fabric.results import Severity
from fabric.rules.contract import Violation
from fabric.settings.network import Network

SEVERITY = Severity.NOTE
ON_REQUEST = True

_FACTOR = 3


def check(network: Network) -> Iterator[Violation]:
    """Yield one violation with both round trips, where they can be known."""
    software = any(node.kind == "switch" and not has_chip(node.model) for node in network.nodes.values())
    trips = () if software or not all(link.length for link in network.links) else tuple(_one_ways(network))
    if not trips:
        return
    shortest, longest = (2 * (2 * NIC + one_way) for one_way in (min(trips), max(trips)))
    far = longest > _FACTOR * shortest
    yield Violation(
        path="topology",
        message=f"round trips between hosts take {shortest / 1000:.1f} us to {longest / 1000:.1f} us without queues"
        f": one pair of thresholds {'does not fit' if far else 'fits'} both",
        measured=f"a factor of {longest / shortest:.2f}",
        bound=f"a factor of {_FACTOR}",
        fix="choose thresholds for the longer one, or keep jobs to one pod" if far else "nothing: this is a figure",
        severity=Severity.WARNING if far else None,
    )


def _one_ways(network: Network) -> Iterator[float]:
    """Yield, per switch with two ways down, the shortest and the longest way from NIC to NIC that turns there (ns)."""
    nodes, below = network.nodes, _below(network)
    near: dict[str, float] = {}
    far: dict[str, float] = {}
    for upper in sorted(below, key=lambda name: nodes[name].tier):
        rows = below[upper]
        short = sorted(near.get(lower, 0) + metres[0] * METRE for lower, metres in rows.items())
        long = sorted(far.get(lower, 0) + metres[1] * METRE for lower, metres in rows.items())
        near[upper], far[upper] = HOP + short[0], HOP + long[-1]
        if len(rows) > 1:
            yield HOP + short[0] + short[1]
            yield HOP + long[-1] + long[-2]


def _below(network: Network) -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """Return per switch its lower neighbours that lead to hosts, with the shortest and longest cable to each."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for link in sorted(network.links, key=lambda link: network.nodes[link.b.node].tier):
        lower, upper = link.a.node, link.b.node
        if network.nodes[lower].kind == "switch" and lower not in found:
            continue
        least, most = found.setdefault(upper, {}).get(lower, (link.length, link.length))
        found[upper][lower] = min(least, link.length), max(most, link.length)
    return found

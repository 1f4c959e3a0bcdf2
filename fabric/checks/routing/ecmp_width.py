"""Every leaf reaches the others over all its uplinks.

What it does
    Looks, on every switch that hosts attach to, at the routes to the prefixes that the other such switches announce,
    and compares the ports by which they leave with the uplinks of the design.

Why
    ECMP over three of four uplinks works, and is full at three quarters of the load. A missing route is a hole that
    only the hosts behind it notice.

Passes
    Every such prefix leaves by every uplink.

Fails
    A prefix has no route, leaves by fewer ports, or by ports that are no uplinks.

Skips
    The switch was not reached or does not report its paths.

Known limits
    Prefixes that the switch announces itself are left out. Three tiers: only the first hop is judged. In planes
    that never meet, only the leaves of the same plane are asked for. Links that the design switches off are no uplinks.

Source
    RFC 7938 section 6 (ECMP over all next hops of a CLOS). Catalogue codes C09 and C13.

Since
    0.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from fabric.checks.contract import Seen
from fabric.checks.outcomes import asked, failed, look, passed
from fabric.checks.shut import closed
from fabric.results import CheckResult
from fabric.settings.bgp import Bgp
from fabric.settings.network import Network, Node
from fabric.settings.state.paths import Path, Paths

FACETS = (Paths,)
SAMPLES = 1


def check(seen: Seen) -> Iterator[CheckResult]:
    """Yield per leaf that was asked one pass or skip, or one failure per set of ports that is wrong."""
    network = seen.design.network
    leaves = tuple(node for node in network.nodes.values() if node.tier == 1)
    announced = {leaf.name: _announced(leaf) for leaf in leaves}
    reached = _reached(network)
    for leaf in leaves:
        uplinks = _uplinks(network, leaf)
        ways = _ways(uplinks, reached)
        wanted = {
            prefix: name
            for name, prefixes in announced.items()
            if name in ways
            for prefix in prefixes - announced[leaf.name]
        }
        if not asked(seen, leaf.name) or not uplinks or not wanted:
            continue
        paths = look(seen, leaf.name, Paths)
        yield from [paths] if isinstance(paths, CheckResult) else _leaf(leaf, ways, wanted, paths)


def _reached(network: Network) -> Mapping[str, frozenset[str]]:
    """Return per switch the leaves to which it has a way, up and then down; planes that never meet have none."""
    neighbours = {
        name: {far.node for _, own, far in rows if not closed(network, own)} for name, rows in network.links_of.items()
    }
    upward = sorted((node for node in network.nodes.values() if node.tier), key=lambda node: node.tier)
    below: dict[str, frozenset[str]] = {}
    for node in upward:
        lower = [name for name in neighbours[node.name] if 0 < network.nodes[name].tier < node.tier]
        own = frozenset({node.name}) if node.tier == 1 else frozenset()
        below[node.name] = own.union(*(below[name] for name in lower))
    found: dict[str, frozenset[str]] = {}
    for node in reversed(upward):
        upper = [name for name in neighbours[node.name] if network.nodes[name].tier > node.tier]
        found[node.name] = below[node.name].union(*(found[name] for name in upper))
    return found


def _ways(uplinks: Mapping[str, str], reached: Mapping[str, frozenset[str]]) -> Mapping[str, Mapping[str, str]]:
    """Return per leaf that can be reached the uplinks that lead to it, each with the node behind it."""
    found: dict[str, dict[str, str]] = {}
    for port, far in uplinks.items():
        for leaf in reached[far]:
            found.setdefault(leaf, {})[port] = far
    return found


def _announced(leaf: Node) -> frozenset[str]:
    keys = leaf.settings.rows(Bgp)
    return frozenset(key.partition(" ")[2] for key in keys if key.startswith("network "))


def _uplinks(network: Network, leaf: Node) -> dict[str, str]:
    """Return the upper node behind each port that leads up."""
    rows = network.links_of[leaf.name]
    above = ((own, far) for _, own, far in rows if network.nodes[far.node].tier > leaf.tier)
    return {own.port: far.node for own, far in above if not closed(network, own)}


def _leaf(
    leaf: Node, ways: Mapping[str, Mapping[str, str]], wanted: Mapping[str, str], paths: Paths
) -> Iterator[CheckResult]:
    wrong: dict[tuple[frozenset[str], tuple[tuple[str, str], ...]], list[str]] = {}
    for prefix in sorted(wanted, key=_in_order):
        ports, uplinks = frozenset(paths.rows.get(prefix, Path(())).ports), ways[wanted[prefix]]
        if ports != uplinks.keys():
            wrong.setdefault((ports, tuple(uplinks.items())), []).append(prefix)
    for (ports, expected), prefixes in wrong.items():
        yield _failure(leaf.name, dict(expected), ports, prefixes, wanted)
    if not wrong:
        widths = sorted({len(ways[name]) for name in wanted.values()})
        over = f"all {widths[0]} uplinks" if len(widths) == 1 else f"{widths[0]} to {widths[-1]} uplinks"
        yield passed(leaf.name, f"{leaf.name} reaches {len(wanted)} prefixes over {over}")


def _in_order(prefix: str) -> tuple[int, int, int]:
    network = ip_network(prefix)
    return network.version, int(network.network_address), network.prefixlen


def _failure(
    leaf: str, uplinks: dict[str, str], ports: frozenset[str], prefixes: list[str], wanted: Mapping[str, str]
) -> CheckResult:
    more = f" and {len(prefixes) - 1} more" if len(prefixes) > 1 else ""
    what = f"{prefixes[0]} ({wanted[prefixes[0]]}){more}"
    missing = ", ".join(f"{port} ({far})" for port, far in uplinks.items() if port not in ports)
    foreign = ", ".join(sorted(ports - uplinks.keys()))
    wrong = "; ".join(
        text for text in (f"not by {missing}" if missing else "", f"by {foreign}, no uplink" if foreign else "") if text
    )
    message = f"{leaf} routes {what} {wrong}" if ports else f"{leaf} has no route to {what}"
    return failed(leaf, message, f"{len(uplinks)} uplinks", f"{len(ports)} ports")

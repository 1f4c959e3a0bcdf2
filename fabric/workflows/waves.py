"""Waves: which nodes change together.

Tier by tier from the top down (from the bottom up when MTUs are lowered), one canary first, never two leaves
of one host, never more than half of the switches that one below has above it, be they a tier, a pod or a plane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fabric.changes.change import Change
from fabric.settings.facet import Absent
from fabric.settings.links import Links
from fabric.settings.network import Network


def waves(network: Network, changes: Mapping[str, Change]) -> tuple[tuple[str, ...], ...]:
    """Return the names of ``changes`` in waves; deterministic."""
    tiers: dict[int, list[str]] = {}
    for name in changes:
        tiers.setdefault(network.nodes[name].tier, []).append(name)
    order = sorted(tiers, reverse=not _lowers_mtu(changes.values()))
    found = [wave for tier in order for wave in _tier_waves(network, tier, tiers[tier])]
    return _canary_first(found)


def _canary_first(found: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    if not found or len(found[0]) == 1:
        return tuple(found)
    first, rest = found[0][:1], found[0][1:]
    return (first, rest, *found[1:])


def _tier_waves(network: Network, tier: int, names: list[str]) -> list[tuple[str, ...]]:
    if tier == 0:
        return [tuple(names)]
    if tier == 1:
        return _leaf_waves(network, names)
    return _upper_waves(network, tier, names)


def _upper_waves(network: Network, tier: int, names: list[str]) -> list[tuple[str, ...]]:
    """Take at most half of a tier, and half of what each switch below has above it there; first fit in order.

    Where a switch below has but one above it, which it loses all the same, nothing of another plane goes with that one.
    Planned switches are none of these: they do not make room.
    """
    nodes = network.nodes
    there = [name for name, node in nodes.items() if node.tier == tier and node.state != "planned"]
    below = {name: _below(network, name) for name in {*there, *names}}
    above = Counter(lower for name in there for lower in below[name])
    found: list[tuple[list[str], Counter[str]]] = []
    for name in names:
        only = any(above[lower] < 2 for lower in below[name])
        for wave, taken in found:
            apart = only and any(nodes[other].plane != nodes[name].plane for other in wave)
            room = all(taken[lower] < max(1, above[lower] // 2) for lower in below[name])
            if len(wave) < len(there) // 2 and room and not apart:
                wave.append(name)
                taken.update(below[name])
                break
        else:
            found.append(([name], Counter(below[name])))
    return [tuple(wave) for wave, _ in found]


def _below(network: Network, name: str) -> set[str]:
    tier = network.nodes[name].tier
    return {far.node for _, _, far in network.links_of[name] if network.nodes[far.node].tier < tier}


def _leaf_waves(network: Network, names: list[str]) -> list[tuple[str, ...]]:
    """Colour the leaves so that two leaves of one host never have the same colour; first fit in order."""
    hosts = {name: _hosts_of(network, name) for name in names}
    found: list[tuple[list[str], set[str]]] = []
    for name in names:
        for wave, taken in found:
            if not taken & hosts[name]:
                wave.append(name)
                taken.update(hosts[name])
                break
        else:
            found.append(([name], set(hosts[name])))
    return [tuple(wave) for wave, _ in found]


def _hosts_of(network: Network, leaf: str) -> set[str]:
    return {far.node for _, _, far in network.links_of[leaf] if network.nodes[far.node].tier == 0}


def _lowers_mtu(changes: Iterable[Change]) -> bool:
    for change in changes:
        for _, now, wanted in change.delta.of(Links):
            if now is None or wanted is None or isinstance(now.mtu, Absent) or isinstance(wanted.mtu, Absent):
                continue
            if wanted.mtu < now.mtu:
                return True
    return False

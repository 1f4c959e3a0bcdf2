"""Growth never renumbers: what is there keeps its name, ports, cables, addresses and AS numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.design.model import Design
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp
from fabric.settings.policy import Policy

Small = Callable[[Mapping[str, Any]], Design]
GPU = "topology.hosts.gpu"
LEAVES = "topology.switches.leaf.count"
SPINES = "topology.switches.spine.count"
EDGE = {"count": 1, "system": "frr", "model": "linux", "asn": {"first": 65301, "per": "device"}}
NUMBERED = {"addressing.links": "10.128.0.0/12"}


def identity(design: Design) -> set[tuple[str, ...]]:
    """All that must stay: cables, and per node addresses, AS number, peers, what it announces, rails."""
    found: set[tuple[str, ...]] = {(str(link.a), str(link.b)) for link in design.network.links}
    for name, node in design.network.nodes.items():
        found |= {(name, key) for key in node.settings.rows(Addresses)}
        found |= {(name, key, repr(row)) for key, row in node.settings.rows(Bgp).items()}
        found |= {(name, key, repr(row)) for key, row in node.settings.rows(Policy).items()}
    return found


def assert_kept(before: Design, after: Design) -> None:
    assert identity(before) <= identity(after)
    kept = [name for name in after.network.nodes if name in before.network.nodes]
    assert kept == list(before.network.nodes)


@pytest.mark.parametrize("links", [{}, NUMBERED], ids=["unnumbered", "numbered"])
@pytest.mark.parametrize(
    "growth",
    [
        {SPINES: 3},
        {LEAVES: 7},
        {f"{GPU}.count": 4},
        {f"{GPU}.nics": 4, LEAVES: 4},
        {SPINES: 32, LEAVES: 64, f"{GPU}.count": 100},
        {
            "topology.hosts.storage": {"count": 2, "nics": 2, "nic": "soft-roce", "attach": "dual", "per_group": 2},
            "topology.cables.2": {"from": "storage", "to": "leaf", "speed": "10G"},
        },
        {
            "topology.switches.edge": EDGE,
            "topology.hosts.storage": {"count": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 8},
            "topology.cables": [
                {"from": "leaf", "to": "spine", "speed": "10G", "to_ports": "1-32"},
                {"from": "gpu", "to": "leaf", "speed": "10G"},
                {"from": "edge", "to": "spine", "speed": "10G", "to_ports": "33-64"},
                {"from": "storage", "to": "edge", "speed": "10G"},
            ],
        },
    ],
    ids=["spine", "leaf", "host", "nic", "everything", "host-role", "leaf-role"],
)
def test_what_is_there_keeps_its_place(small: Small, links: Mapping[str, Any], growth: Mapping[str, Any]) -> None:
    assert_kept(small(links), small({**links, **growth}))


def test_a_nic_more_keeps_the_nics_of_hosts_on_one_leaf_and_on_two(small: Small) -> None:
    for attach, more in (("leaf", 3), ("dual", 4)):
        base = {f"{GPU}.attach": attach, f"{GPU}.count": 8, LEAVES: 4}
        assert_kept(small(base), small({**base, f"{GPU}.nics": more}))


@st.composite
def sizes(draw: st.DrawFn) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Changes for a small fabric and for one that grew from it in every direction."""
    per_pair = draw(st.integers(1, 3))
    kept = {
        "addressing.links": draw(st.sampled_from(["unnumbered", "10.128.0.0/12"])),
        f"{GPU}.attach": draw(st.sampled_from(["rail", "leaf", "dual"])),
        "topology.cables": [
            {"from": "leaf", "to": "spine", "per_pair": per_pair, "speed": "10G"},
            {"from": "gpu", "to": "leaf", "speed": "10G"},
        ],
    }
    hosts, spines = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    more_hosts, more_spines = hosts + draw(st.integers(0, 30)), spines + draw(st.integers(0, 5))
    leaves = 2 * -(-hosts // 4)
    more_leaves = 2 * -(-more_hosts // 4) + draw(st.integers(0, 20))
    before = {f"{GPU}.count": hosts, SPINES: spines, LEAVES: leaves}
    after = {f"{GPU}.count": more_hosts, SPINES: more_spines, LEAVES: more_leaves}
    return {**kept, **before}, {**kept, **after}


@settings(max_examples=30, deadline=None)
@given(size=sizes())
def test_growth_in_all_directions_at_once(small: Small, size: tuple[Mapping[str, Any], Mapping[str, Any]]) -> None:
    before, after = small(size[0]), small(size[1])
    assert_kept(before, after)
    addresses = [key.split()[1] for node in after.network.nodes.values() for key in node.settings.rows(Addresses)]
    assert len(set(addresses)) == len(addresses)

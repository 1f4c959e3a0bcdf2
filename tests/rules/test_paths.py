"""When AS numbers alone prove that ways lead up and then down."""

from __future__ import annotations

import pytest

from fabric.analysis.bgp_routes import bits, several
from fabric.analysis.bgp_sessions import speakers
from fabric.analysis.buffer_loops import ordered

PEER = {
    "plug": [{"a": "leaf01:swp40", "b": "leaf02:swp40", "speed": "10G"}],
    "settings": {
        name: {"bgp": {"neighbor swp40": {"remote_as": "external", "interface": True}}} for name in ("leaf01", "leaf02")
    },
}
OWN = {"topology": {"switches": {"spine": {"asn": {"per": "device"}}}}}
PLANES = [
    {"from": "leaf", "to": "spine", "speed": "10G", "length_m": 5, "spread": "plane", "planes": 2},
    {"from": "gpu", "to": "leaf", "speed": "10G", "length_m": 2},
]
BOND = {"topology": {"hosts": {"gpu": {"nics": 1, "ports": 2, "bond": "lacp"}}}}
SAYS_ONLY = {
    "neighbor swp33": {"extra": ["ipv4 unicast: route-map ALL out"]},
    "neighbor swp34": {"extra": ["ipv4 unicast: route-map ALL out", "ipv4 unicast: route-map ALL in"]},
}


def saying(name, port, words):
    return {"settings": {name: {"bgp": {f"neighbor {port}": {"extra": [f"ipv4 unicast: {words}"]}}}}}


@pytest.mark.parametrize(
    ("case", "proved"),
    [
        pytest.param({}, True, id="one number above the leaves"),
        pytest.param({"intent": OWN}, False, id="two numbers above a leaf"),
        pytest.param(saying("spine01", "swp1", "allowas-in"), False, id="own number taken"),
        pytest.param(saying("leaf01", "swp33", "as-override"), False, id="number hidden"),
        pytest.param(
            {"intent": OWN, "settings": {"leaf01": {"bgp": {"router": {"requires_policy": True}, **SAYS_ONLY}}}},
            False,
            id="two numbers above a leaf that hears one of them",
        ),
        pytest.param(PEER, False, id="a session sideways"),
        pytest.param({**PEER, "settings": {}}, True, id="a cable sideways without a session"),
        pytest.param({"nodes": {"spine01": {"tier": 3}, "spine02": {"tier": 3}}}, True, id="three tiers"),
        pytest.param({"nodes": {"spine01": {"tier": 4}, "spine02": {"tier": 4}}}, False, id="four tiers"),
        pytest.param(
            {"intent": {"topology": OWN["topology"] | {"cables": PLANES}}}, True, id="a number for each plane"
        ),
        pytest.param(
            {"intent": {"topology": OWN["topology"] | {"cables": PLANES} | BOND["topology"]}},
            False,
            id="a number for each plane, and hosts in both",
        ),
        pytest.param({"intent": BOND}, True, id="hosts on two leaves under one number"),
    ],
)
def test_as_numbers_prove_that_ways_lead_up_and_then_down(case, proved, subjects_of):
    assert ordered(speakers(subjects_of(case).network)) is proved


def test_sets_of_destinations_are_bits():
    assert list(bits(0b101001)) == [0, 3, 5]
    assert several({"a": 0b011, "b": 0b110, "c": 0b100}) == 0b110

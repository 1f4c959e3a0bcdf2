"""What ``nodes`` says of single nodes and ports: it must mean something, and other nodes keep what they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fabric.design.model import Design
from fabric.errors import DesignError
from fabric.settings.addresses import Addresses
from fabric.settings.bonds import Bonds
from fabric.settings.links import Links
from fabric.settings.tenants import Tenants
from tests.design.test_refusals_of_design import refusal

Small = Callable[[Mapping[str, Any]], Design]
WithFiles = Callable[[Mapping[str, Any], Mapping[str, str]], Design]
UP = {"from": "leaf", "to": "spine", "speed": "10G"}
DOWN = {"from": "gpu", "to": "leaf", "speed": "10G"}
BONDS = {
    "topology.switches.leaf.count": 4,
    "topology.hosts.gpu": {
        "count": 4,
        "nics": 1,
        "ports": 2,
        "bond": "lacp",
        "nic": "connectx-7",
        "attach": "dual",
        "per_group": 2,
    },
}
SUBNETS = {"prefix": "10.64.0.0/16", "per": "leaf", "length": 24, "vlan": 7, "gateway": "anycast"}


def addresses(found: Design, node: str) -> list[str]:
    return list(found.network.nodes[node].settings.rows(Addresses))


@pytest.mark.parametrize(
    ("key", "field", "value"),
    [
        ("gpu01", "asn", 65999),
        ("gpu01", "loopback", "10.255.9.9"),
        ("gpu*", "model", "linux"),
        ("gpu02", "ports", {"eth1": {"headroom": "100KB"}}),
        ("leaf01", "nic", "connectx-7"),
        ("leaf*", "interfaces", ["a", "b"]),
    ],
)
def test_a_value_that_means_nothing_on_this_kind_of_node(small: Small, key: str, field: str, value: object) -> None:
    kind, other = ("host", "switch") if key.startswith("gpu") else ("switch", "host")
    error = refusal(small, {"nodes": {key: {field: value}}})
    assert error.message.startswith(f"nodes.{key}.{field}")
    assert error.message.endswith(f"means nothing on a {kind}")
    assert error.hint == f"it belongs to a {other}: leave it out here"


def test_a_pattern_over_switches_and_hosts_may_say_what_only_some_understand(small: Small) -> None:
    found = small({"nodes": {"*": {"release": "8.4"}}})
    assert found.network.nodes["leaf01"].facts.release == "8.4"


def test_a_pattern_speaks_of_the_nodes_that_have_the_port(small: Small) -> None:
    changes = {"topology.switches.leaf.count": 4, "nodes": {"leaf*": {"ports": {"swp1": {"mtu": 4000}}}}}
    found = small(changes)
    assert found.network.nodes["leaf01"].settings.rows(Links)["swp1"].mtu == 4000
    assert "swp1" not in found.network.nodes["leaf03"].settings.rows(Links)
    error = refusal(small, changes | {"nodes": {"leaf*": {"ports": {"swp9": {"mtu": 4000}}}}})
    assert error.message == "leaf01 has no cable in port 'swp9'"
    assert error.where == "fabric.yaml:68:5"


def test_a_larger_model_needs_a_stride_that_says_so(small: Small) -> None:
    links = {"addressing.links": "10.128.0.0/12"}
    larger = {**links, "nodes": {"leaf01": {"model": "generic-128"}}}
    error = refusal(small, larger)
    assert error.message == "addresses for 64 ports are set aside for each leaf, and leaf01 uses port 65 of its 128"
    assert error.hint.startswith("write addressing.stride: 128")
    found = small({**larger, "addressing.stride": 128})
    # leaf01, port 65: /31 number 64; leaf02, port 33: 128 + 32 = 160
    assert addresses(found, "leaf01")[-2:] == ["swp65 10.128.0.129/31", "swp66 10.128.0.131/31"]
    assert addresses(found, "leaf02")[-2:] == ["swp33 10.128.1.65/31", "swp34 10.128.1.67/31"]


def test_a_stride_that_is_smaller_than_the_ports_in_use(small: Small) -> None:
    error = refusal(small, {"addressing.links": "10.128.0.0/12", "addressing.stride": 32})
    assert [problem.message for problem in error.problems] == [
        "addresses for 32 ports are set aside for each leaf, and leaf01 uses port 33 of its 64"
    ]
    found = small({"addressing.links": "10.128.0.0/12", "addressing.stride": 34})
    # leaf02, port 34: /31 number 34 + 33 = 67
    assert addresses(found, "leaf02")[-1] == "swp34 10.128.0.135/31"


def test_a_larger_model_moves_no_host_of_a_subnet_and_meets_none(small: Small) -> None:
    changes = BONDS | {"addressing.hosts": {**SUBNETS, "length": 22}}
    larger = changes | {"nodes": {"leaf01": {"model": "generic-128"}}}
    before, after = small(changes), small(larger)
    assert addresses(before, "gpu02") == addresses(after, "gpu02") == ["bond1 10.64.0.3/22"]


def test_a_port_of_a_larger_model_that_the_subnet_has_no_address_for(with_files: WithFiles) -> None:
    rows = ["gpu01,nic1p1,leaf01,swp66,10G", "gpu01,nic1p2,leaf02,swp66,10G"]
    rows += ["gpu02,nic1p1,leaf02,swp2,10G", "gpu02,nic1p2,leaf01,swp2,10G"]
    changes = BONDS | {
        "topology.hosts.gpu": BONDS["topology.hosts.gpu"] | {"count": 2},
        "topology.cables": [UP, {"file": "cables.csv"}],
        "addressing.hosts": {**SUBNETS, "length": 22},
        "nodes": {"leaf0?": {"model": "generic-128"}},
    }
    text = "\n".join(["from_node,from_port,to_node,to_port,speed", *rows])
    with pytest.raises(DesignError) as caught:
        with_files(changes, {"cables.csv": text})
    assert (
        caught.value.message == "addresses for 64 ports are set aside for each leaf, and leaf01 uses port 66 of its 128"
    )
    found = with_files(changes | {"addressing.stride": 128}, {"cables.csv": text})
    assert [addresses(found, host) for host in ("gpu01", "gpu02")] == [
        ["bond1 10.64.0.67/22"],
        ["bond1 10.64.0.131/22"],
    ]


def test_a_model_that_is_not_broken_out_as_its_role_is(small: Small) -> None:
    sonic = {"count": 2, "system": "sonic", "model": "as9736-64d", "asn": {"first": 65101, "per": "device"}}
    changes = {"topology.switches.leaf": sonic, "topology.cables": [UP, DOWN | {"to_ports": "1-8/8x"}]}
    assert small(changes).network.nodes
    error = refusal(small, changes | {"nodes": {"leaf02": {"model": "sn2700"}}})
    assert error.message == "nodes.leaf02.model: port Ethernet0 has no part 1 of 8"


@pytest.mark.parametrize(
    ("nodes", "place"),
    [({"leaf01": {"asn": 23456}}, "nodes.leaf01.asn"), ({"leaf0?": {"asn": 65000}, "spine*": {"asn": 65000}}, "")],
)
def test_a_given_as_number_that_cannot_be(small: Small, nodes: Mapping[str, Any], place: str) -> None:
    error = refusal(small, {"nodes": nodes})
    if place:
        assert error.message == "AS number 23456 of leaf01 is reserved (RFC 6793): no router may have it"
    else:
        assert error.message == "leaf01 and spine01 are neighbours, and both have AS number 65000"


@pytest.mark.parametrize("names", [["a", "a"], ["bond1", "b"]])
def test_device_names_that_two_ports_of_a_host_have(small: Small, names: list[str]) -> None:
    error = refusal(small, BONDS | {"nodes": {"gpu01": {"interfaces": names}}})
    assert error.message.startswith("nodes.gpu01.interfaces: port 1 of role gpu and ")
    assert error.message.endswith(f"are both called {names[0]}")


def test_a_leaf_that_is_removed_moves_no_address_of_its_bonds(small: Small) -> None:
    before = small(BONDS)
    after = small(BONDS | {"nodes": {"leaf01": {"state": "removed"}}})
    for node in ("gpu01", "gpu04", "leaf02"):
        assert addresses(after, node) == addresses(before, node)
    assert after.network.nodes["leaf02"].settings.rows(Bonds) == before.network.nodes["leaf02"].settings.rows(Bonds)
    assert [link for link in after.network.links if link.a.node == "gpu01"] == [
        link for link in before.network.links if "gpu01" in str(link.a) and link.b.node == "leaf02"
    ]
    reason = after.origins["gpu01.addresses.bond1 10.64.0.1/31"].reason
    assert "(leaf01, port 1)" in reason


def test_a_leaf_that_is_removed_moves_no_subnet(small: Small) -> None:
    changes = BONDS | {"addressing.hosts": SUBNETS}
    before, after = small(changes), small(changes | {"nodes": {"leaf01": {"state": "removed"}}})
    assert addresses(before, "gpu02") == addresses(after, "gpu02") == ["bond1 10.64.0.3/24"]
    assert addresses(before, "leaf02") == addresses(after, "leaf02")


def test_a_role_of_which_all_are_removed_moves_no_block_of_others(small: Small) -> None:
    tor = {"count": 1, "system": "frr", "model": "linux", "asn": {"first": 65201, "per": "device"}}
    changes: dict[str, Any] = {
        "topology.switches": {"tor": tor, "leaf": {**tor, "count": 2, "asn": {"first": 65101, "per": "device"}}},
        "topology.hosts.nas": {"count": 1, "nics": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 4},
        "topology.cables": [DOWN, {"from": "nas", "to": "tor", "speed": "10G"}],
    }
    before, after = small(changes), small(changes | {"nodes": {"tor01": {"state": "removed"}}})
    # block 1 of 16 of 10.64.0.0/12
    assert addresses(before, "gpu01") == addresses(after, "gpu01") == ["eth1 10.65.0.1/31", "eth2 10.65.0.129/31"]


def test_what_speaks_of_a_removed_node_is_kept_without_effect(small: Small) -> None:
    found = small(
        {
            "topology.cables": [UP, DOWN, {"match": "spine02:*", "length_m": 30}],
            "nodes": {
                "spine02": {"state": "removed", "ports": {"swp1": {"mtu": 4000}}},
                "gpu02": {"state": "removed"},
                "leaf01": {"ports": {"swp34": {"mtu": 4000}}},
            },
            "tenants": {"blue": {"vni": 5, "hosts": ["gpu01", "gpu02"]}, "red": {"vni": 6, "hosts": ["gpu02"]}},
            "external": [{"node": "spine02", "neighbor": "192.0.2.1"}],
        }
    )
    assert [tenant.hosts for tenant in found.tenants] == [("gpu01",), ()]
    assert list(found.network.nodes["leaf01"].settings.rows(Tenants)) == ["blue"]
    assert found.externals == ()
    assert found.removed == ("spine02", "gpu02")


RENAMED = {"nodes": {"leaf01": {"name": "tor-a1"}, "gpu01": {"name": "dgx1"}}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tenants": {"blue": {"vni": 5, "hosts": ["gpu01"]}}}, "called dgx1: nodes.gpu01.name"),
        ({"external": [{"node": "leaf01", "neighbor": "192.0.2.1"}]}, "called tor-a1: nodes.leaf01.name"),
        ({"external": [{"node": "leaf1", "neighbor": "192.0.2.1"}]}, "did you mean leaf02?"),
        (
            {"nodes": {"leaf01": {"name": "RACK7"}}, "external": [{"node": "rack7", "neighbor": "192.0.2.1"}]},
            "did you mean RACK7?",
        ),
        ({"topology.cables": [UP, DOWN, {"match": "tor-a1:swp3", "length_m": 3}]}, "did you mean tor-a1:swp34"),
    ],
)
def test_a_name_that_no_node_has_gets_a_hint(small: Small, changes: Mapping[str, Any], said: str) -> None:
    assert said in refusal(small, RENAMED | dict(changes)).hint


def test_a_line_that_names_a_place_gets_a_hint(with_files: WithFiles) -> None:
    text = "from_node,from_port,to_node,to_port,speed\nleaf01,swp33,spine01,swp1,10G\nleaf02,SWP33,Spine01,swp2,10G\n"
    with pytest.raises(DesignError) as caught:
        with_files(RENAMED | {"topology.cables": [{"file": "cables.csv"}, DOWN]}, {"cables.csv": text})
    assert [problem.hint for problem in caught.value.problems] == [
        "the node in this place is called tor-a1: nodes.leaf01.name",
        "did you mean spine01 or spine02?",
    ]


def test_names_with_dots_have_origins_like_all_others(small: Small) -> None:
    found = small({"nodes": {"leaf01": {"name": "leaf01.dc1.example.net"}, "leaf02": {"name": "classes"}}})
    for name in ("leaf01.dc1.example.net", "classes"):
        assert all(found.origins[path].reason for path in found.origins.of(name))
    assert found.origins["classes.rdma.priority"].reason
    with pytest.raises(KeyError):
        found.origins["leaf01.dc1.links.swp1"]


def test_an_external_port_is_one_that_the_switch_has_and_no_cable_uses(small: Small) -> None:
    assert small({"external": [{"node": "leaf*", "port": "swp64"}, {"node": "leaf01", "port": "eth0"}]}).externals
    error = refusal(small, {"external": [{"node": "leaf*", "port": "swp65"}]})
    assert error.message == "external.0.port: leaf01 (linux) has no port swp65"
    assert error.hint == "its last port is swp64"
    error = refusal(small, {"external": [{"node": "leaf*", "port": "swp33"}]})
    assert error.message == "external.0.port: leaf01:swp33 has a cable of the fabric"

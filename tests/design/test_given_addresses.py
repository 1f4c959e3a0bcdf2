"""Addresses that lists and ``nodes`` give: they stay as they are, and what does not go together is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.addressing import length_of
from fabric.design.model import Design
from fabric.errors import DesignError
from fabric.settings.addresses import Addresses

WithFiles = Callable[[Mapping[str, Any], Mapping[str, str]], Design]
Small = Callable[[Mapping[str, Any]], Design]
WRITTEN = "fabric.yaml:67:4"
HEAD = "from_node,from_port,to_node,to_port,speed,from_address,to_address"
DOWN = {"from": "gpu", "to": "leaf", "speed": "10G"}
UP = {"from": "leaf", "to": "spine", "speed": "10G"}
BONDED = {
    "topology.hosts.gpu": {
        "count": 2,
        "nics": 1,
        "ports": 2,
        "bond": "lacp",
        "nic": "connectx-7",
        "attach": "dual",
        "per_group": 2,
        "interfaces": ["e1", "e2"],
    }
}
SUBNETS = {"addressing.hosts": {"prefix": "10.64.0.0/16", "per": "leaf", "length": 26, "vlan": 7, "gateway": "anycast"}}
DUAL = {
    "addressing.loopbacks": ["10.255.0.0/16", "2001:db8:ff::/48"],
    "addressing.hosts": ["10.64.0.0/12", "2001:db8:2::/48"],
}


def uplinks(first: str = "", second: str = "") -> str:
    """The uplinks of two leaves, of which the first two are given addresses."""
    rows = [f"leaf01,swp33,spine01,swp1,10G,{first or ','}", f"leaf01,swp34,spine02,swp1,10G,{second or ','}"]
    rows += [f"leaf02,swp{32 + spine},spine0{spine},swp2,10G,," for spine in (1, 2)]
    return "\n".join([HEAD, *rows]) + "\n"


def nics(*rows: str) -> str:
    return "\n".join([HEAD, *rows]) + "\n"


def below(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {"topology.cables": [UP, {"file": "cables.csv"}]} | dict(changes)


def addresses(found: Design, node: str) -> list[str]:
    return list(found.network.nodes[node].settings.rows(Addresses))


@pytest.fixture
def changes() -> dict[str, Any]:
    return {"addressing.links": "10.128.0.0/12", "topology.cables": [{"file": "cables.csv"}, DOWN]}


def refusal(with_files: WithFiles, changes: Mapping[str, Any], text: str) -> DesignError:
    with pytest.raises(DesignError) as caught:
        with_files(changes, {"cables.csv": text})
    return caught.value


@pytest.mark.parametrize(
    ("pair", "length"),
    [
        ("10.3.0.0,10.3.0.1", 31),
        ("10.3.0.1,10.3.0.2", 30),
        ("10.3.0.1,10.3.0.3", 29),
        ("10.3.0.3,10.3.0.4", 29),
        ("10.3.0.7,10.3.0.1", 28),
        ("10.3.0.1,10.3.0.254", 24),
    ],
)
def test_a_given_pair_lies_in_the_smallest_prefix_of_which_both_are_hosts(
    with_files: WithFiles, changes: dict[str, Any], pair: str, length: int
) -> None:
    found = with_files(changes, {"cables.csv": uplinks(pair)})
    lower, upper = pair.split(",")
    assert f"swp33 {lower}/{length}" in addresses(found, "leaf01")
    assert f"swp1 {upper}/{length}" in addresses(found, "spine01")
    origin = found.origins[f"leaf01.addresses.swp33 {lower}/{length}"]
    assert str(origin.place).endswith("cables.csv:2:1")


@given(st.integers(1, 2**32 - 2), st.integers(1, 2**32 - 2))
def test_no_end_of_a_given_ipv4_pair_is_its_networks_or_broadcast_address(one: int, other: int) -> None:
    lower, upper = ip_address(one), ip_address(other)
    if lower == upper:
        return
    length = length_of(lower, upper)
    network = ip_network(f"{lower}/{length}", strict=False)
    assert upper in network
    if 0 < length < 31:
        assert not {lower, upper} & {network.network_address, network.broadcast_address}


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        ("10.0.0.1,10.9.0.1", "10.0.0.1 and 10.9.0.1 are no neighbours: no prefix longer than /12 has both"),
        ("10.3.0.255,10.3.1.0", "10.3.0.255 and 10.3.1.0 are no neighbours: no prefix longer than /23 has both"),
        ("2001:db8::1,2001:db8::2", "2001:db8::1 is IPv6, and the fabric is IPv4"),
    ],
)
def test_a_given_pair_that_makes_no_link(with_files: WithFiles, changes: dict[str, Any], pair: str, said: str) -> None:
    error = refusal(with_files, changes, uplinks(pair))
    assert error.message.startswith(said)
    assert error.where.endswith("cables.csv:2:1")


@pytest.mark.parametrize(
    ("first", "second", "met"),
    [
        ("10.64.0.0,10.64.0.1", "", "the gateway of NIC 1 of gpu01 has it by computation"),
        ("10.255.0.1,10.255.0.0", "", "loopback of spine01 has it by computation"),
        ("10.3.0.0,10.3.0.1", "10.3.0.1,10.3.0.0", "leaf01:swp33 has it as well"),
        ("10.128.0.192,10.128.0.193", "", "spine01:swp2 has it by computation"),
    ],
)
def test_a_given_address_that_another_port_has(
    with_files: WithFiles, changes: dict[str, Any], first: str, second: str, met: str
) -> None:
    error = refusal(with_files, changes, uplinks(first, second))
    assert any(met in problem.message for problem in error.problems)
    assert all("cables.csv:" in problem.where for problem in error.problems)


@pytest.mark.parametrize(
    ("first", "second", "around"),
    [
        ("10.3.0.1,10.3.0.2", "10.3.0.3,10.3.0.5", "the link of leaf01:swp34 has 10.3.0.0/29"),
        ("10.64.0.250,10.64.0.253", "", ""),
        ("10.64.0.132,10.64.0.139", "", "the link of NIC 2 of gpu01 has 10.64.0.128/31"),
    ],
)
def test_a_given_prefix_that_another_lies_in(
    with_files: WithFiles, changes: dict[str, Any], first: str, second: str, around: str
) -> None:
    text = uplinks(first, second)
    if not around:
        assert with_files(changes, {"cables.csv": text}).network.nodes
        return
    assert around in refusal(with_files, changes, text).message


@pytest.mark.parametrize("loopback", ["10.3.0.5", "10.3.0.7", "10.3.0.0"])
def test_a_given_loopback_in_the_prefix_of_a_link(
    with_files: WithFiles, changes: dict[str, Any], loopback: str
) -> None:
    changes |= {"nodes": {"leaf02": {"loopback": loopback}}}
    error = refusal(with_files, changes, uplinks("10.3.0.1,10.3.0.6"))
    assert (
        error.message.endswith("10.3.0.0/29, which overlaps it, as well") or "10.3.0.0/29 is given to" in error.message
    )
    assert "loopback of leaf02" in error.message


def test_a_given_loopback_of_a_family_that_the_fabric_has_not(small: Small) -> None:
    with pytest.raises(DesignError) as caught:
        small({"nodes": {"leaf*": {"loopback": ["10.255.9.9", "2001:db8::1"]}}})
    assert caught.value.message == "nodes.leaf*.loopback: 2001:db8::1 is IPv6, and addressing.loopbacks is IPv4 only"


def test_one_loopback_for_all_leaves_is_refused_where_it_is_written(small: Small) -> None:
    with pytest.raises(DesignError) as caught:
        small({"nodes": {"leaf*": {"loopback": "10.255.9.9"}}})
    assert caught.value.message == "10.255.9.9 is given to loopback of leaf02, and loopback of leaf01 has it as well"
    assert caught.value.where == WRITTEN


def test_a_loopback_of_one_family_leaves_the_other_to_be_computed(small: Small) -> None:
    found = small({**DUAL, "nodes": {"leaf01": {"loopback": "10.255.9.9"}}})
    assert addresses(found, "leaf01")[:2] == ["lo 10.255.9.9/32", "lo 2001:db8:ff:1000::1/128"]


def test_links_that_are_unnumbered_are_given_all_families_or_none(with_files: WithFiles) -> None:
    changes = {**DUAL, "topology.cables": [{"file": "cables.csv"}, DOWN]}
    error = refusal(with_files, changes, uplinks("10.3.0.0,10.3.0.1"))
    assert error.message == "links are unnumbered, and this one is given no IPv6 addresses"
    both = "10.3.0.0 2001:db8:9::,10.3.0.1 2001:db8:9::1"
    found = with_files(changes, {"cables.csv": uplinks(both)})
    assert addresses(found, "leaf01")[-2:] == ["swp33 10.3.0.0/31", "swp33 2001:db8:9::/127"]


def test_a_link_of_two_families_may_be_given_one_and_have_the_other_computed(with_files: WithFiles) -> None:
    changes = {**DUAL, "topology.cables": [{"file": "cables.csv"}, DOWN]}
    changes["addressing.links"] = ["10.128.0.0/12", "2001:db8:1::/48"]
    found = with_files(changes, {"cables.csv": uplinks("10.3.0.1,10.3.0.0")})
    # leaf01, port 33: /127 number 32
    assert addresses(found, "leaf01")[-4:-2] == ["swp33 10.3.0.1/31", "swp33 2001:db8:1::41/127"]


def test_ipv6_has_no_broadcast_address() -> None:
    one, other = ip_address("2001:db8::1"), ip_address("2001:db8::3")
    assert length_of(one, other) == 126
    assert length_of(ip_address("2001:db8::"), other) < 64


def test_a_bond_is_given_one_address_by_its_first_cable(with_files: WithFiles) -> None:
    rows = ["gpu01,e1,leaf01,swp1,10G,10.64.9.1,10.64.9.0", "gpu01,e2,leaf02,swp1,10G,10.64.9.1,10.64.9.0"]
    found = with_files(below(BONDED), {"cables.csv": nics(*rows)})
    assert addresses(found, "gpu01") == ["bond1 10.64.9.1/31"]
    assert [addresses(found, leaf)[1] for leaf in ("leaf01", "leaf02")] == ["bond1 10.64.9.0/31"] * 2
    error = refusal(with_files, below(BONDED), nics(rows[0], rows[1].replace("10.64.9.1", "10.64.9.3")))
    assert error.message.startswith("bond 1 of gpu01 has one address, which the cable of its first port (e1) gives")
    assert error.where.endswith("cables.csv:3:1")


def test_a_given_host_address_is_one_of_the_subnet_of_its_leaf(with_files: WithFiles) -> None:
    rows = ["gpu01,eth1,leaf01,swp1,10G,10.64.0.6,10.64.0.1", "gpu02,eth1,leaf01,swp2,10G,,"]
    found = with_files(below(SUBNETS), {"cables.csv": nics(*rows)})
    assert addresses(found, "gpu01") == ["eth1 10.64.0.6/26"]
    assert addresses(found, "gpu02") == ["eth1 10.64.0.3/26"]
    assert addresses(found, "leaf01")[1:2] == ["vlan7 10.64.0.1/26"]


@pytest.mark.parametrize(
    "pair", ["10.64.0.40,10.64.0.2", "10.64.0.1,10.64.0.1", "10.64.0.63,10.64.0.1", "10.99.0.2,10.99.0.1"]
)
def test_a_given_host_address_that_its_subnet_has_no_room_for(with_files: WithFiles, pair: str) -> None:
    error = refusal(with_files, below(SUBNETS), nics(f"gpu01,eth1,leaf01,swp1,10G,{pair}"))
    assert "make a link" in error.message or error.message.endswith("into 10.64.0.0/26, the subnet of leaf01")


def test_a_given_host_address_that_a_computed_one_meets(with_files: WithFiles) -> None:
    rows = ["gpu01,eth1,leaf01,swp1,10G,10.64.0.3,10.64.0.1", "gpu02,eth1,leaf01,swp2,10G,,"]
    error = refusal(with_files, below(SUBNETS), nics(*rows))
    assert error.message == "10.64.0.3 is given to NIC 1 of gpu01, and NIC 1 of gpu02 has it by computation"

"""Ports that entries of ``topology.cables`` write: they are there, and each belongs to one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fabric.design.model import Design
from fabric.errors import DesignError
from tests.design.test_refusals_of_design import refusal

Small = Callable[[Mapping[str, Any]], Design]
WithFiles = Callable[[Mapping[str, Any], Mapping[str, str]], Design]
UP = {"from": "leaf", "to": "spine", "speed": "10G"}
DOWN = {"from": "gpu", "to": "leaf", "speed": "10G"}


def test_ports_that_the_model_does_not_have(small: Small) -> None:
    error = refusal(small, {"topology.cables": [UP, DOWN | {"to_ports": "61-68"}]})
    assert error.message == "topology.cables.1.to_ports: 61-68 names port 68, and linux of role leaf has 64"
    assert error.hint == "name ports from 1 to 64"


@pytest.mark.parametrize(("up", "down", "shared"), [("9-16", "1-12", 9), ("1,2", "1-4/2x", 1), ("40-44", "44-48", 44)])
def test_ports_that_two_entries_write(small: Small, up: str, down: str, shared: int) -> None:
    error = refusal(small, {"topology.cables": [UP | {"ports": up}, DOWN | {"to_ports": down}]})
    assert error.message == (
        f"topology.cables.1.to_ports: port {shared} of each leaf belongs to topology.cables.0.ports already"
    )


def test_two_hosts_on_one_cable(with_files: WithFiles) -> None:
    text = "from_node,from_port,to_node,to_port,speed\ngpu01,eth1,gpu02,eth1,10G\n"
    with pytest.raises(DesignError) as caught:
        with_files({"topology.cables": [UP, {"file": "cables.csv"}]}, {"cables.csv": text})
    assert caught.value.message == "gpu01 and gpu02 are both hosts"


def test_roles_that_a_list_makes_equal(with_files: WithFiles) -> None:
    text = "from_node,from_port,to_node,to_port,speed\ngpu01,eth1,spine01,swp40,10G\n"
    with pytest.raises(DesignError) as caught:
        with_files({"topology.cables": [UP, DOWN, {"file": "cables.csv"}]}, {"cables.csv": text})
    assert caught.value.message == (
        "topology.cables.0: leaf and spine are both tier 1, as the lists cable both of them to what is below"
    )


def test_hosts_that_are_not_on_all_leaves_of_their_subnet(small: Small) -> None:
    nas = {
        "count": 2,
        "nics": 1,
        "ports": 2,
        "bond": "lacp",
        "nic": "connectx-7",
        "attach": "dual",
        "per_group": 2,
    }
    changes = {
        "topology.hosts.nas": nas,
        "topology.cables": [UP, DOWN | {"to_ports": "1-8"}, {**DOWN, "from": "nas", "to_ports": "9-16"}],
    }
    assert small(changes).network.nodes
    subnets = {"prefix": "10.64.0.0/16", "per": "leaf", "length": 24, "vlan": 7, "gateway": "anycast"}
    error = refusal(small, {**changes, "addressing.hosts": subnets})
    assert error.message == (
        "bonds join leaf01 and leaf02 into one subnet, and gpu01 is cabled to leaf01 but not to leaf02, "
        "which would lose packets for it"
    )
    assert len(error.problems) == 1


def test_a_switch_has_the_parts_of_broken_out_ports_in_place_of_the_ports(small: Small) -> None:
    found = small({"topology.cables": [UP, DOWN | {"to_ports": "1-4/2x"}]})
    ports = found.network.nodes["leaf01"].facts.ports
    assert ports == {f"swp{port}" for port in range(2, 65)} | {"swp1s0", "swp1s1"}

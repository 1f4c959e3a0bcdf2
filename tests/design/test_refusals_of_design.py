"""What cannot be built is refused, in words that say what, where, how much, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fabric.design.faults import Gathered
from fabric.design.model import Design
from fabric.errors import DesignError

Small = Callable[[Mapping[str, Any]], Design]
GPU = "topology.hosts.gpu"
UP = {"from": "leaf", "to": "spine", "speed": "10G"}
DOWN = {"from": "gpu", "to": "leaf", "speed": "10G"}


def switches(first: int, per: str = "device", count: int = 1) -> dict[str, Any]:
    return {"count": count, "system": "frr", "model": "linux", "asn": {"first": first, "per": per}}


def refusal(small: Small, changes: Mapping[str, Any]) -> DesignError:
    with pytest.raises(DesignError) as caught:
        small(changes)
    assert caught.value.where.startswith("fabric.yaml:")
    return caught.value


@pytest.mark.parametrize(
    ("attach", "groups", "needed"), [("rail", "3 groups of 2 leaves", 6), ("leaf", "3 groups of 1 leaf", 3)]
)
def test_hosts_that_do_not_fit_into_the_leaves(small: Small, attach: str, groups: str, needed: int) -> None:
    error = refusal(small, {f"{GPU}.count": 9, f"{GPU}.attach": attach})
    assert error.message == f"9 gpu hosts, 4 to a group, need {groups}, {needed} in all; role 'leaf' has 2"
    assert error.hint == (
        f"set topology.switches.leaf.count to {needed}, or raise topology.hosts.gpu.per_group as far as the leaf "
        f"has ports for it"
    )


@pytest.mark.parametrize(("attach", "share"), [("leaf", "a leaf"), ("dual", "two leaves")])
def test_groups_without_a_size(small: Small, attach: str, share: str) -> None:
    error = refusal(small, {f"{GPU}.attach": attach, f"{GPU}.per_group": None})
    assert error.message == f"attach {attach} needs per_group for gpu hosts"
    assert error.hint == f"write how many hosts share {share}, such as per_group: 16"


def test_an_odd_nic_without_a_pair(small: Small) -> None:
    error = refusal(small, {f"{GPU}.attach": "dual", f"{GPU}.nics": 3})
    assert error.message == "attach dual lands NICs in pairs, and gpu hosts have 3"
    assert error.hint == "give an even number of nics"


def test_a_nic_with_several_cables(small: Small) -> None:
    error = refusal(small, {"topology.cables": [UP, {**DOWN, "per_pair": 2}]})
    assert error.message == "cable gpu to leaf: per_pair is 2, and a NIC port has one cable"
    assert error.hint == "leave per_pair out, and give topology.hosts.gpu.nics or ports"


def test_an_unknown_model_is_placed(small: Small) -> None:
    error = refusal(small, {"topology.switches.leaf.model": "linx"})
    assert error.message == "topology.switches.leaf.model: unknown switch model 'linx'"
    assert error.hint.startswith("did you mean linux?")


def test_an_unknown_nic_is_placed(small: Small) -> None:
    error = refusal(small, {f"{GPU}.nic": "connectx7"})
    assert error.message == "topology.hosts.gpu.nic: unknown NIC 'connectx7'"
    assert error.hint.startswith("did you mean connectx-7 or connectx-")


def test_a_system_without_port_names_is_placed(small: Small) -> None:
    error = refusal(small, {"topology.switches.leaf.system": "vxworks"})
    assert error.message == (
        "topology.switches.leaf.system: no port names are known for switch model 'linux' under system 'vxworks'"
    )


def test_two_nodes_of_one_name(small: Small) -> None:
    error = refusal(
        small,
        {
            "topology.switches.leaf.count": 101,
            "topology.switches.leaf1": switches(65301),
            "topology.cables": [UP, DOWN, {"from": "leaf1", "to": "spine", "speed": "10G"}],
            "topology.hosts.nas": {"count": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 1},
            "topology.cables.3": {"from": "nas", "to": "leaf1", "speed": "10G"},
        },
    )
    assert error.message == "roles 'leaf' and 'leaf1' both have a node 'leaf101'"
    assert error.hint == "give roles names of which none is another one followed by digits"


def test_as_numbers_that_two_roles_share(small: Small) -> None:
    error = refusal(small, {"topology.switches.spine.asn": {"first": 65102, "per": "tier"}})
    assert error.message == "AS numbers of roles 'spine' (65102) and 'leaf' (65101 to 65102) overlap"
    assert error.hint == "choose another asn.first for leaf; leave room for growth between roles"


def test_roles_of_one_tier_may_share_its_as_number(small: Small) -> None:
    found = small(
        {
            "topology.switches.core": switches(65000, "tier"),
            "topology.cables": [
                {**UP, "ports": "33-40"},
                DOWN,
                {"from": "leaf", "to": "core", "speed": "10G", "ports": "41-48"},
            ],
        }
    )
    assert "core01" in found.network.nodes


@pytest.mark.parametrize(
    ("first", "last", "bound"), [(65534, 65535, 65534), (4294967294, 4294967295, 4294967294), (64511, None, None)]
)
def test_as_numbers_stay_in_the_range_they_begin_in(
    small: Small, first: int, last: int | None, bound: int | None
) -> None:
    changes = {"topology.switches.leaf.asn": {"first": first, "per": "device"}}
    if last is None:
        assert small(changes).network.nodes["leaf02"]
        return
    error = refusal(small, changes)
    assert error.message == (
        f"AS numbers of role 'leaf' run from {first} to {last}; the range they begin in ends at {bound}"
    )
    assert error.hint == "begin lower, or at 4200000000, which leaves room for every fabric"


def test_a_loopback_pool_that_is_too_small(small: Small) -> None:
    error = refusal(small, {"addressing.loopbacks": "10.255.0.0/27"})
    assert error.message == (
        "addressing.loopbacks 10.255.0.0/27 gives each switch role a block of 1 addresses; role 'spine' needs 2"
    )
    assert error.hint == "use a pool of /26 or shorter"
    assert small({"addressing.loopbacks": "10.255.0.0/26"}).network.nodes


def test_a_loopback_pool_without_blocks(small: Small) -> None:
    assert "a block of 0 addresses" in refusal(small, {"addressing.loopbacks": "10.255.0.0/29"}).message


def test_more_switch_roles_than_blocks(small: Small) -> None:
    roles = {f"topology.switches.core{chr(97 + n)}": switches(64512 + n) for n in range(15)}
    cables = [
        {**UP, "ports": "33-40"},
        DOWN,
        *({"from": "leaf", "to": f"core{chr(97 + n)}", "speed": "10G", "ports": 41 + n} for n in range(15)),
    ]
    error = refusal(small, {**roles, "topology.cables": cables})
    assert error.message == "17 switch roles, and addressing.loopbacks 10.255.0.0/16 has 16 blocks"
    assert error.hint == "use at most 16 switch roles"


def test_a_hosts_pool_that_is_too_small(small: Small) -> None:
    error = refusal(small, {"addressing.hosts": "10.64.0.0/25"})
    assert error.message == (
        "addressing.hosts 10.64.0.0/25 has 64 /31s for role 'leaf'; its 2 places need 64 each, 128 in all"
    )
    assert error.hint == "use a pool of /24 or shorter"
    assert small({"addressing.hosts": "10.64.0.0/24"}).network.nodes


def test_a_links_pool_that_is_too_small(small: Small) -> None:
    error = refusal(small, {"addressing.links": "10.128.0.0/26"})
    assert error.message.startswith("addressing.links 10.128.0.0/26 has 32 /31s for role 'leaf'")


def test_a_role_that_grows_into_the_place_of_the_next(small: Small) -> None:
    changes = {
        "topology.switches.edge": switches(65301),
        "topology.hosts.nas": {"count": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 8},
        "topology.cables": [
            *({**UP, "to_ports": "1-32"}, DOWN),
            {"from": "edge", "to": "spine", "speed": "10G", "to_ports": "33-64"},
            {"from": "nas", "to": "edge", "speed": "10G"},
        ],
        "addressing.hosts": "10.64.0.0/21",
    }
    error = refusal(small, changes)
    assert error.message == (
        "addressing.hosts 10.64.0.0/21 has 64 /31s for role 'leaf'; its 2 places need 64 each, 128 in all"
    )
    assert error.hint == "use a pool of /20 or shorter"
    assert small({**changes, "addressing.hosts": "10.64.0.0/20"}).network.nodes


def test_more_cables_than_could_ever_be_judged(small: Small) -> None:
    error = refusal(small, {"topology.switches.spine.count": 257})
    assert error.message == "topology.cables.0 needs 257 ports of each leaf, and linux has 64"
    assert error.hint == "lower the count of the other role, or per_pair"
    error = refusal(small, {"topology.switches.leaf.count": 10_000})
    assert error.message == "topology.cables.0 needs 10000 ports of each spine, and linux has 64"


def test_more_hosts_on_a_leaf_than_could_ever_be_judged(small: Small) -> None:
    error = refusal(small, {f"{GPU}.count": 257, f"{GPU}.per_group": 257})
    assert error.message == "topology.hosts.gpu needs 257 ports of each leaf, and linux has 64"
    assert error.hint == "lower topology.hosts.gpu.per_group, or nics"


@pytest.mark.parametrize(("first", "per", "number"), [(23450, "device", 23456), (65535, "tier", 65535)])
def test_a_reserved_as_number(small: Small, first: int, per: str, number: int) -> None:
    error = refusal(small, {"topology.switches.spine": switches(first, per, count=20)})
    assert re.match(f"AS number {number} of spine0[0-9] is reserved \\(RFC ", error.message)
    assert error.hint == "use private numbers: 64512 to 65534 or 4200000000 to 4294967294"


def test_all_hardware_that_is_not_known_is_named_at_once(small: Small) -> None:
    changes = {
        "topology.switches.leaf.model": "linx",
        "topology.switches.spine.system": "vxworks",
        f"{GPU}.nic": "connectx7",
    }
    error = refusal(small, changes)
    assert [problem.message.partition(":")[0] for problem in error.problems] == [
        "topology.switches.spine.system",
        "topology.switches.leaf.model",
        "topology.hosts.gpu.nic",
    ]
    assert error.hint.startswith("systems of this model: frr; others with known port names: cumulus, eos, junos, ")


def test_numbers_and_pools_that_do_not_fit_are_named_at_once(small: Small) -> None:
    changes = {
        "topology.switches.leaf.asn.first": 65534,
        "addressing.loopbacks": "10.255.0.0/28",
        "addressing.hosts": "10.64.0.0/28",
        "addressing.links": "10.65.0.0/28",
    }
    error = refusal(small, changes)
    assert [problem.message.partition(" 10.")[0] for problem in error.problems] == [
        "AS numbers of role 'leaf' run from 65534 to 65535; the range they begin in ends at 65534",
        "addressing.loopbacks",
        "addressing.hosts",
        "addressing.links",
    ]


def test_only_refusals_are_gathered() -> None:
    faults = Gathered()
    with pytest.raises(KeyError), faults:
        raise KeyError
    faults.end()

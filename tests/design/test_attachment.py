"""Where NICs land, and which ports nodes take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fabric.design.model import Design
from fabric.settings.addresses import Addresses
from fabric.settings.facet import ABSENT
from fabric.settings.links import Links
from fabric.settings.sysctl import Sysctl

Small = Callable[[Mapping[str, Any]], Design]
GPU = "topology.hosts.gpu"


def switches(first: int, per: str) -> dict[str, Any]:
    return {"count": 1, "system": "frr", "model": "linux", "asn": {"first": first, "per": per}}


def landed(design: Design, host: str) -> list[str]:
    return [str(link.b) for link in design.network.links if link.a.node == host]


def test_rail_lands_nic_r_on_leaf_r_of_the_group(small: Small) -> None:
    found = small({f"{GPU}.count": 6, f"{GPU}.per_group": 4, "topology.switches.leaf.count": 4})
    assert landed(found, "gpu01") == ["leaf01:swp1", "leaf02:swp1"]
    assert landed(found, "gpu04") == ["leaf01:swp4", "leaf02:swp4"]
    assert landed(found, "gpu05") == ["leaf03:swp1", "leaf04:swp1"]
    assert landed(found, "gpu06") == ["leaf03:swp2", "leaf04:swp2"]


def test_rail_without_groups_is_one_group(small: Small) -> None:
    found = small({f"{GPU}.count": 9, f"{GPU}.per_group": None, "topology.switches.leaf.count": 4})
    assert landed(found, "gpu09") == ["leaf01:swp9", "leaf02:swp9"]


def test_leaf_lands_all_nics_on_one_leaf(small: Small) -> None:
    found = small({f"{GPU}.count": 3, f"{GPU}.attach": "leaf", f"{GPU}.per_group": 2})
    assert landed(found, "gpu01") == ["leaf01:swp1", "leaf01:swp3"]
    assert landed(found, "gpu02") == ["leaf01:swp2", "leaf01:swp4"]
    assert landed(found, "gpu03") == ["leaf02:swp1", "leaf02:swp3"]


def test_dual_lands_pairs_on_two_leaves(small: Small) -> None:
    changes = {f"{GPU}.nics": 4, f"{GPU}.attach": "dual", f"{GPU}.per_group": 2, f"{GPU}.count": 3}
    found = small({**changes, "topology.switches.leaf.count": 4})
    assert landed(found, "gpu01") == ["leaf01:swp1", "leaf02:swp1", "leaf01:swp3", "leaf02:swp3"]
    assert landed(found, "gpu02") == ["leaf01:swp2", "leaf02:swp2", "leaf01:swp4", "leaf02:swp4"]
    assert landed(found, "gpu03") == ["leaf03:swp1", "leaf04:swp1", "leaf03:swp3", "leaf04:swp3"]


def test_a_second_host_role_follows_on_the_same_leaves(small: Small) -> None:
    storage = {"count": 1, "nics": 2, "nic": "soft-roce", "attach": "dual", "per_group": 2}
    found = small(
        {"topology.hosts.storage": storage, "topology.cables.2": {"from": "storage", "to": "leaf", "speed": "10G"}}
    )
    assert landed(found, "gpu02") == ["leaf01:swp2", "leaf02:swp2"]
    assert landed(found, "storage01") == ["leaf01:swp5", "leaf02:swp5"]
    assert list(found.network.nodes)[-3:] == ["gpu01", "gpu02", "storage01"]


def test_interfaces_of_the_intent_name_the_nics(small: Small) -> None:
    found = small({f"{GPU}.interfaces": ["ens1np0", "ens2np0"], f"{GPU}.nic": "connectx-7"})
    gpu = found.network.nodes["gpu01"]
    assert list(gpu.settings.rows(Links)) == ["ens1np0", "ens2np0"]
    assert gpu.facts.ports == {"ens1np0", "ens2np0"}


def test_nics_without_known_names_get_labels(small: Small) -> None:
    found = small({f"{GPU}.nic": "connectx-7"})
    assert list(found.network.nodes["gpu01"].settings.rows(Links)) == ["nic1", "nic2"]


def test_several_cables_of_a_pair_stand_side_by_side(small: Small) -> None:
    up = {"from": "leaf", "to": "spine", "per_pair": 2, "speed": "10G"}
    found = small({"topology.cables": [up, {"from": "gpu", "to": "leaf", "speed": "10G"}]})
    assert landed(found, "leaf02") == ["spine01:swp3", "spine01:swp4", "spine02:swp3", "spine02:swp4"]


def test_two_upper_roles_have_the_ports_that_the_file_gives_them(small: Small) -> None:
    found = small(
        {
            "topology.switches.core": switches(64600, "tier"),
            "topology.cables": [
                {"from": "leaf", "to": "spine", "speed": "10G", "ports": "33-34"},
                {"from": "gpu", "to": "leaf", "speed": "10G"},
                {"from": "leaf", "to": "core", "speed": "10G", "ports": "49-50"},
            ],
        }
    )
    ends = {str(link.a): str(link.b) for link in found.network.links}
    assert [ends[f"leaf02:swp{port}"] for port in (33, 34, 49)] == ["spine01:swp2", "spine02:swp2", "core01:swp2"]


def test_a_host_role_on_a_second_leaf_role_has_addresses_of_its_own(small: Small) -> None:
    found = small(
        {
            "topology.switches.edge": switches(65301, "device"),
            "topology.hosts.storage": {"count": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 8},
            "topology.cables": [
                {"from": "leaf", "to": "spine", "speed": "10G", "to_ports": "1-32"},
                {"from": "gpu", "to": "leaf", "speed": "10G"},
                {"from": "edge", "to": "spine", "speed": "10G", "to_ports": "33-64"},
                {"from": "storage", "to": "edge", "speed": "10G"},
            ],
        }
    )
    # The second leaf role begins at 1/16 of 10.64.0.0/12, that is 10.65.0.0; it is switch role 3: block 2 of 16.
    assert list(found.network.nodes["edge01"].settings.rows(Addresses)) == ["lo 10.255.32.1/32", "swp1 10.65.0.0/31"]
    ends = {str(link.a): str(link.b) for link in found.network.links}
    assert ends["edge01:swp33"] == "spine01:swp33"


def test_names_are_never_padded_again(small: Small) -> None:
    found = small({f"{GPU}.count": 100, f"{GPU}.per_group": 32, "topology.switches.leaf.count": 8})
    assert {"gpu01", "gpu99", "gpu100"} <= set(found.network.nodes)
    assert list(found.network.nodes)[-1] == "gpu100"


def test_ports_beyond_the_model_are_designed_for_the_rules_to_report(small: Small) -> None:
    found = small({"topology.switches.leaf.model": "generic-8", "topology.switches.spine.count": 6})
    ends = [str(link.a) for link in found.network.links if link.a.node == "leaf01"]
    assert ends == [f"leaf01:swp{port}" for port in (5, 6, 7, 8, 9, 10)]
    assert found.network.nodes["leaf01"].facts.ports == {f"swp{port}" for port in range(1, 9)}


def test_a_port_beyond_the_model_takes_the_address_of_no_other_port(small: Small) -> None:
    found = small({f"{GPU}.count": 70, f"{GPU}.per_group": 70})
    addresses = [key.split()[1] for node in found.network.nodes.values() for key in node.settings.rows(Addresses)]
    assert len(set(addresses)) == len(addresses)
    key = next(key for key in found.network.nodes["gpu65"].settings.rows(Addresses) if key.startswith("eth1 "))
    assert found.origins[f"gpu65.addresses.{key}"].reason == (
        "port 65 is beyond the 64 /31s of a switch: an address outside 10.64.0.0/12; the host has the odd address"
    )


def test_two_cables_in_one_port_are_designed_for_the_rules_to_report(small: Small) -> None:
    found = small({"topology.switches.leaf.model": "generic-8", f"{GPU}.count": 5, f"{GPU}.per_group": 8})
    ends = [str(end) for link in found.network.links for end in (link.a, link.b) if end.node == "leaf01"]
    assert ends.count("leaf01:swp5") == 2


def test_a_model_that_does_not_list_the_system_is_designed_without_known_ports(small: Small) -> None:
    found = small({"topology.switches.spine.model": "as9736-64d"})
    spine = found.network.nodes["spine01"]
    assert list(spine.settings.rows(Links)) == ["swp1", "swp2"]
    assert spine.facts.ports is ABSENT


def test_leaves_without_spines_are_a_fabric(small: Small) -> None:
    found = small({"topology.switches.spine": None, "topology.cables": [{"from": "gpu", "to": "leaf", "speed": "10G"}]})
    assert found.network.nodes["leaf01"].tier == 1
    assert list(found.network.nodes["leaf01"].settings.rows(Links)) == ["swp1", "swp2"]


def test_a_port_name_with_a_dot_gets_no_kernel_parameter(small: Small) -> None:
    found = small({f"{GPU}.interfaces": ["eth1.100", "eth2"]})
    assert not any("eth1" in key for key in found.network.nodes["gpu01"].settings.rows(Sysctl))


def test_a_cable_without_a_length_has_length_0(small: Small) -> None:
    assert {link.length for link in small({}).network.links} == {0.0}


def test_a_host_whose_system_is_not_linux_gets_no_kernel_parameters(small: Small) -> None:
    assert small({f"{GPU}.system": "esx"}).network.nodes["gpu01"].settings.get(Sysctl) is ABSENT

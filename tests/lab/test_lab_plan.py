from dataclasses import replace
from ipaddress import IPv4Network

import pytest

from fabric.errors import UsageError
from fabric.lab.plan import dump, load, plan
from fabric.settings.bgp import Bgp, Neighbor
from fabric.settings.facet import Settings
from fabric.settings.network import End, Link, Network
from fabric.settings.scope import Scope


def test_plan_survives_its_file(design_of):
    lab = plan(design_of("f"))
    assert load(dump(lab)) == lab


def test_every_port_gets_its_own_place_in_the_patch_panel(design_of):
    lab = plan(design_of("f", 2, 3, 4))
    ends = {end for cable in lab.cables for end in cable}
    assert set(lab.patch) == ends
    assert len(set(lab.patch.values())) == len(ends)
    assert all(len(name) < 16 for name in lab.patch.values())


def test_nodes_of_systems_that_no_lab_runs_are_named(design_of):
    with pytest.raises(UsageError, match=r"2 of 6 nodes: gpu01 \(esxi\), gpu02 \(esxi\)"):
        plan(design_of("f", system="esxi"))


def with_state(design, name, state):
    nodes = {**design.network.nodes, name: replace(design.network.nodes[name], state=state)}
    return replace(design, network=Network(nodes, design.network.links))


def test_planned_nodes_are_left_out_and_the_ports_that_will_lead_to_them_are_not_cabled(design_of):
    lab = plan(with_state(design_of("f"), "spine02", "planned"))
    assert "spine02" not in lab.node
    assert "spine02" not in {end.node for cable in lab.cables for end in cable}
    assert lab.node["leaf01"].ports == ("swp1", "swp2", "swp3")
    assert (lab.node["leaf01"].cables, lab.node["gpu01"].cables) == (2, 1)
    assert End("leaf01", "swp2") in lab.patch


def test_a_planned_node_may_have_any_system_and_one_in_maintenance_is_there(design_of):
    design = design_of("f", hosts=1, system="esxi")
    assert "gpu01" not in plan(with_state(design, "gpu01", "planned")).node
    assert "leaf01" in plan(with_state(design_of("f"), "leaf01", "maintenance")).node


def test_a_lab_holds_what_is_left_of_its_fabric_and_nothing_that_was_added(design_of):
    lab = plan(design_of("f"))
    assert lab.holds(plan(with_state(design_of("f"), "spine02", "planned")))
    assert not plan(with_state(design_of("f"), "spine02", "planned")).holds(lab)
    assert not lab.holds(plan(design_of("f", hosts=3)))
    assert not lab.holds(plan(design_of("g")))


def test_bfd_runs_where_a_session_is_watched(design_of):
    design = design_of("f")
    leaf = design.network.nodes["leaf01"]
    watched = Bgp({"neighbor swp1": Neighbor("external", interface=True, activated=True, bfd=True)})
    nodes = {**design.network.nodes, "leaf01": replace(leaf, settings=Settings(watched))}
    lab = plan(replace(design, network=Network(nodes, design.network.links)))
    assert {node.name for node in lab.nodes if node.bfd} == {"leaf01"}


def test_management_avoids_the_networks_of_the_design(design_of):
    taken = Scope(prefixes=(IPv4Network("172.16.0.0/12"),))
    lab = plan(replace(design_of("f"), scopes={"leaf01": taken}))
    assert lab.gateway == "198.18.0.1/16"
    assert lab.nodes[0].address == "198.18.0.2/16"


def test_a_design_that_leaves_no_management_network_is_refused(design_of):
    with pytest.raises(UsageError, match="no management network is left"):
        plan(replace(design_of("f"), scopes={"leaf01": Scope(prefixes=(IPv4Network("0.0.0.0/0"),))}))


def test_management_port_steps_aside_for_a_port_of_the_design(design_of):
    design = design_of("f", 1, 1, 1)
    links = (*design.network.links[:-1], Link(End("gpu01", "eth0"), End("leaf01", "swp2"), 10**10, 1.0))
    lab = plan(replace(design, network=Network(design.network.nodes, links)))
    assert {node.name: node.management for node in lab.nodes} == {"spine01": "eth0", "leaf01": "eth0", "gpu01": "mgmt0"}

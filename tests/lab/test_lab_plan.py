from dataclasses import replace
from ipaddress import IPv4Network

import pytest

from fabric.errors import UsageError
from fabric.lab.plan import dump, load, plan
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

"""nodes.csv and cables.csv, given back, make the same network again."""

import csv
import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.workflows.listing import CABLES, NODES, cables_csv, nodes_csv, write

INVENTORIES = Path(__file__).parents[2] / "inventories"
CLASSES = {
    "rdma": {"rdma": True, "dscp": 26, "priority": 3, "share": "60%"},
    "default": {"priority": 0, "share": "40%"},
}
TWO_TIERS = {
    "switches": {
        "spine": {"count": 2, "system": "frr", "model": "linux", "asn": {"first": 65000, "per": "tier"}},
        "leaf": {"count": 4, "system": "frr", "model": "linux", "asn": {"first": 65101, "per": "device"}},
    },
    "hosts": {"gpu": {"count": 4, "nics": 2, "nic": "soft-roce", "attach": "rail", "per_group": 2}},
    "cables": [
        {"from": "leaf", "to": "spine", "per_pair": 2, "speed": "10G", "length_m": 5, "media": "dac", "fec": "rs"},
        {"from": "gpu", "to": "leaf", "speed": "10G", "length_m": 2.5},
    ],
}
BONDED = {
    "gpu": {"count": 4, "nics": 1, "ports": 2, "bond": "lacp", "nic": "soft-roce", "attach": "rail", "per_group": 2}
}
FURTHER = TWO_TIERS | {
    "hosts": TWO_TIERS["hosts"]
    | {"gpu-storage": {"of": "gpu", "nics": 2, "nic": "soft-roce", "attach": "dual", "per_group": 4}},
    "cables": [
        TWO_TIERS["cables"][0],
        TWO_TIERS["cables"][1] | {"to_ports": "1-8"},
        {"from": "gpu-storage", "to": "leaf", "speed": "10G", "to_ports": "9-16"},
    ],
}
PODS = {
    "pods": 2,
    "switches": {
        "core": {"count": 4, "system": "frr", "model": "linux", "asn": {"first": 64900, "per": "tier"}},
        "spine": {"count": 2, "per": "pod", "system": "frr", "model": "linux", "asn": {"first": 65000, "per": "pod"}},
        "leaf": {"count": 2, "per": "pod", "system": "frr", "model": "linux", "asn": {"first": 65101, "per": "device"}},
    },
    "hosts": {"gpu": {"count": 2, "per": "pod", "nics": 2, "nic": "soft-roce", "attach": "rail", "per_group": 2}},
    "cables": [
        {"from": "leaf", "to": "spine", "speed": "10G"},
        {"from": "spine", "to": "core", "speed": "10G", "spread": "plane"},
        {"from": "gpu", "to": "leaf", "speed": "10G"},
    ],
}
PLAIN = {"loopbacks": "10.255.0.0/16", "links": "unnumbered", "hosts": "10.64.0.0/12", "mtu": 9000}
NUMBERED = PLAIN | {"links": "10.128.0.0/16"}
IPV6 = {"loopbacks": "fd00:1::/64", "links": "fd00:2::/64", "hosts": "fd00:3::/64", "mtu": 9000}
IPV6 |= {"router_ids": "10.255.0.0/16"}
BOTH = {"loopbacks": ["10.255.0.0/16", "fd00:1::/64"], "links": ["10.128.0.0/16", "fd00:2::/64"], "mtu": 9000}
BOTH |= {"hosts": ["10.64.0.0/12", "fd00:3::/64"]}
LAYER2 = PLAIN | {"hosts": {"prefix": "10.64.0.0/16", "per": "leaf", "length": 26, "vlan": 100, "gateway": "anycast"}}
GIVEN = {
    "leaf03": {"name": "tor-a1", "asn": 65999, "loopback": "10.255.99.1", "management": "192.0.2.7"},
    "leaf04": {"state": "maintenance"},
    "spine02": {"state": "planned"},
    "gpu02": {"interfaces": ["ens1np0", "ens2np0"], "nic": "connectx-7"},
    "leaf01": {"release": "8.4"},
}

FABRICS = {
    "two-tiers": (TWO_TIERS, PLAIN, {}),
    "numbered": (TWO_TIERS, NUMBERED, {}),
    "ipv6-only": (TWO_TIERS, IPV6, {}),
    "both-families": (TWO_TIERS, BOTH, {}),
    "given-values": (TWO_TIERS, NUMBERED, GIVEN),
    "removed-nodes": (TWO_TIERS, NUMBERED, {"leaf02": {"state": "removed"}, "gpu01": {"state": "removed"}}),
    "further-nics": (FURTHER, NUMBERED, {}),
    "bonds": (TWO_TIERS | {"hosts": BONDED}, PLAIN, {}),
    "layer-2-hosts": (TWO_TIERS, LAYER2, {}),
    "pods-and-planes": (PODS, NUMBERED, {}),
}


def intent(topology, addressing, nodes):
    return {"fabric": "rt", "topology": topology, "addressing": addressing, "classes": CLASSES, "nodes": nodes}


def made(folder, content):
    path = folder / "fabric.yaml"
    path.write_text(json.dumps(content))
    return design(load(path))


def pinned(content):
    """Return an intent whose nodes and cables are those of the two files beside it."""
    topology = content["topology"] | {"cables": [{"file": "cables.csv"}]}
    return content | {"topology": topology, "nodes": {"file": "nodes.csv"}}


@pytest.mark.parametrize("name", FABRICS)
def test_what_is_written_makes_the_same_network_when_it_is_given_back(tmp_path, name):
    content = intent(*FABRICS[name])
    first = made(tmp_path, content)
    write(first, tmp_path)
    again = made(tmp_path, pinned(content))
    assert again.network == first.network
    assert again.rails == first.rails
    assert again.management == first.management
    assert (nodes_csv(again), cables_csv(again)) == (nodes_csv(first), cables_csv(first))


@pytest.mark.parametrize("name", ["lab", "pod16", "ai1024"])
def test_the_inventories_can_be_pinned(tmp_path, name):
    path = INVENTORIES / name / "fabric.yaml"
    first = design(load(path))
    write(first, tmp_path)
    again = made(tmp_path, pinned(YAML(typ="safe").load(path)))
    assert again.network == first.network
    assert again.rails == first.rails


def test_what_is_pinned_stays_when_the_pools_move(tmp_path):
    content = intent(*FABRICS["numbered"])
    first = made(tmp_path, content)
    write(first, tmp_path)
    switches = content["topology"]["switches"]
    moved = {
        name: role | {"asn": role["asn"] | {"first": role["asn"]["first"] + 100}} for name, role in switches.items()
    }
    changed = pinned(content)
    changed["topology"] |= {"switches": moved}
    assert made(tmp_path, changed).network == first.network


def test_the_columns_are_those_of_the_language(tmp_path):
    first = made(tmp_path, intent(*FABRICS["given-values"]))
    nodes = {row["node"]: row for row in csv.DictReader(nodes_csv(first).splitlines())}
    cables = list(csv.DictReader(cables_csv(first).splitlines()))
    assert tuple(nodes["leaf01"]) == NODES
    assert tuple(cables[0]) == CABLES
    given = {"name": "tor-a1", "asn": "65999", "loopback": "10.255.99.1", "management": "192.0.2.7"}
    assert given.items() <= nodes["leaf03"].items()
    assert nodes["leaf04"]["state"] == "maintenance"
    assert {"system": "linux", "nic": "soft-roce", "model": "", "asn": ""}.items() <= nodes["gpu01"].items()
    edge = next(row for row in cables if row["from_node"] == "gpu01")
    assert {"to_node": "leaf01", "speed": "10G", "length_m": "2.5", "from_address": "10.64.0.1"}.items() <= edge.items()
    uplink = next(row for row in cables if row["from_node"] == "tor-a1")
    assert {"media": "dac", "fec": "rs", "speed": "10G"}.items() <= uplink.items()

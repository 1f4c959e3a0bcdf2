"""Keys that mean something only with others: what loads, and what is said of the rest."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from fabric.errors import Problem

Problems = Callable[[object], tuple[Problem, ...]]
Changes = dict[str, object]

PODS: Changes = {"topology.pods": 2, "topology.switches.leaf.per": "pod", "topology.hosts.gpu.per": "pod"}
LEAF_SUBNETS = {"prefix": "10.64.0.0/12", "per": "leaf", "length": 26, "vlan": 100, "gateway": "anycast"}
IPV6: Changes = {
    "addressing.loopbacks": "2001:db8:1::/48",
    "addressing.hosts": "2001:db8:2::/48",
    "addressing.router_ids": "10.254.0.0/16",
}
JUMP = {"bastion": {"host": "b.example.net", "user": "ops"}}


def changed(data: dict, changes: Changes) -> dict:
    """Return the data with values at dotted paths; one beyond a list is appended, and ``None`` takes a key away."""
    data = copy.deepcopy(data)
    for path, value in changes.items():
        *above, last = path.split(".")
        here: object = data
        for step in above:
            here = here[int(step)] if isinstance(here, list) else here.setdefault(step, {})
        if isinstance(here, list) and int(last) == len(here):
            here.append(value)
        elif value is None:
            del here[last]
        else:
            here[int(last) if isinstance(here, list) else last] = value
    return data


LOADING: dict[str, Changes] = {
    "pods": PODS,
    "asn per pod": PODS | {"topology.switches.leaf.asn.per": "pod"},
    "strides": PODS | {"topology.switches.leaf.stride": 8, "topology.switches.leaf.asn.stride": 16},
    "upper ports set aside": PODS | {"topology.cables.0.stride": 8},
    "planes": {"topology.cables.0.spread": "plane", "topology.cables.0.planes": 2},
    "breakouts": {
        "topology.cables.1.to_ports": "1-32/2x",
        "topology.cables.0.ports": "33-64",
        "topology.cables.0.fec": "rs",
    },
    "media": {"topology.cables.0.media": "dr4", "topology.cables.0.length_m": 0.5},
    "a change of cables": {"topology.cables.2": {"match": "leaf03:swp*", "length_m": 120}},
    "bonds": {"topology.hosts.gpu.ports": 2, "topology.hosts.gpu.bond": "lacp"},
    "interfaces": {"topology.hosts.gpu.ports": 2, "topology.hosts.gpu.interfaces": ["a", "b", "c", "d"]},
    "shared leaves": {"topology.hosts.gpu.leaves": 1, "topology.hosts.gpu.stride": 4},
    "further NICs": {
        "topology.hosts.disk": {"of": "gpu", "nic": "soft-roce", "attach": "dual", "nics": 2, "per_group": 2},
        "topology.cables.2": {"from": "disk", "to": "leaf", "speed": "10G"},
    },
    "one subnet per leaf": {"addressing.hosts": LEAF_SUBNETS},
    "the long form per NIC": {"addressing.hosts": {"prefix": "10.64.0.0/12", "per": "nic", "length": 31}},
    "IPv6": IPV6,
    "both families": {
        "addressing.loopbacks": ["10.255.0.0/16", "2001:db8:1::/48"],
        "addressing.links": ["2001:db8:3::/48", "10.254.0.0/16"],
        "addressing.hosts": LEAF_SUBNETS | {"prefix": ["10.64.0.0/12", "2001:db8:2::/48"], "length": [26, 64]},
    },
    "address stride": {"addressing.stride": 64, "addressing.links": "10.128.0.0/12"},
    "thresholds per speed": {
        "classes.rdma.ecn.min": {"100G": "150KB", "400G": "600KB"},
        "classes.rdma.ecn.max": "auto",
    },
    "ecn": {"classes.rdma.ecn.profile": "latency", "classes.rdma.ecn.flows": 64, "classes.rdma.ecn.incast": 8},
    "edges": {"classes.rdma.edge": ["gpu"]},
    "buffers": {"buffers": {"lossy_alpha": 1, "oversubscribe": 2, "override": {"ingress_pool": {"size": "32MiB"}}}},
    "routing": {"routing": {"bfd": True, "load_balance": "dlb"}},
    "drivers": {"nic_settings": {"bnxt": {"cnp_dscp": 48}, "mlx5": {"cnp_dscp": 50, "dcqcn": {"rate": 5}}}},
    "jobs and hooks": {"jobs.nccl.communicators": {"parameters": "rdma"}, "hooks": {"idle": "/usr/local/bin/is-idle"}},
    "nodes": {
        "nodes": {
            "leaf03": {"name": "tor-a1", "state": "maintenance", "management": "192.0.2.3", "loopback": "10.255.9.9"},
            "leaf*": {"asn": 65001, "release": "x", "ports": {"swp7": {"enabled": False, "mtu": 1500, "alpha": "1/8"}}},
        }
    },
    "access": {
        "access": {
            "jump": JUMP,
            "switches": {"jump": "bastion", "password": {"env": "FABRIC_PASSWORD"}},
            "hosts": {"key": {"agent": True}, "password": {"prompt": True}},
        }
    },
    "tenants": {"tenants": {"blue": {"vni": 10001, "hosts": ["gpu0?"], "classes": ["rdma"]}}},
    "external": {"external": [{"node": "leaf*", "port": "swp64", "asn": 65535}]},
    "waivers": {"waivers": [{"rule": "topology.*", "at": "leaf*", "reason": "by design", "until": "2027-06-30"}]},
}


@pytest.mark.parametrize("name", LOADING)
def test_every_key_of_the_language_loads(problems: Problems, valid: dict, name: str) -> None:
    assert problems(changed(valid, LOADING[name])) == ()


WRONG: list[tuple[Changes, str]] = [
    ({"topology.pods": 2}, "topology.pods: no role has per: pod"),
    ({"topology.switches.leaf.per": "pod"}, "topology.switches.leaf.per: pod, and there are no pods"),
    ({"topology.switches.leaf.per": "pods"}, "topology.switches.leaf.per: found 'pods'"),
    ({"topology.switches.leaf.asn.per": "pod"}, "topology.switches.leaf.asn.per: pod, and the role has no pods"),
    ({"topology.switches.leaf.stride": 8}, "topology.switches.leaf.stride means nothing here"),
    ({"topology.switches.leaf.asn.stride": 8}, "topology.switches.leaf.asn.stride means nothing here"),
    (PODS | {"topology.switches.leaf.stride": 3}, "topology.switches.leaf.stride: found 3, and count is 4"),
    (PODS | {"topology.switches.leaf.asn.stride": 3}, "topology.switches.leaf.asn.stride: found 3, and count is 4"),
    (
        PODS | {"topology.switches.leaf.count": 65},
        "topology.switches.leaf.stride: it is 64 where it is not given, and count is 65",
    ),
    (
        {"topology.cables.1.spread": "plane"},
        "topology.cables.1.spread: plane, and gpu to leaf is no cable between switches",
    ),
    ({"topology.cables.0.planes": 2}, "topology.cables.0.planes means nothing here"),
    (
        {
            "classes.rdma.ecn.profile": "pfc-only",
            "classes.rdma.ecn.max": "auto",
            "classes.rdma.ecn.probability": "auto",
        },
        "classes.rdma.ecn.min: written, and profile pfc-only marks nothing",
    ),
    ({"topology.cables.0.stride": 2}, "topology.cables.0.stride means nothing here"),
    ({"topology.cables.1.stride": 2}, "topology.cables.1.stride means nothing here"),
    ({"topology.cables.2": {"match": "leaf01:swp1"}}, "topology.cables.2: the entry changes nothing"),
    (
        {"topology.cables.2": {"match": "leaf01", "fec": "rs"}},
        (
            "topology.cables.2.match: found 'leaf01'; an end of a cable, such as leaf03:swp7, "
            "or a pattern with * and ?, is wanted"
        ),
    ),
    ({"topology.cables.2": {"match": "a:b", "fec": "rs", "speed": "1G"}}, "topology.cables.2.speed: unknown key"),
    (
        {"topology.cables.1.speed": 10},
        "topology.cables.1.speed: found the number 10; a quantity with its unit is wanted, such as 400G",
    ),
    (
        {"topology.cables.1.to_ports": "32-1"},
        (
            "topology.cables.1.to_ports: found '32-1'; 32-1 is no range of ports from 1 to 1024; "
            "a range of ports is wanted, "
            "such as 1-32, 1-16,33-48 or 1-32/2x (each port broken out in two)"
        ),
    ),
    ({"topology.cables.1.fec": "rss"}, "topology.cables.1.fec: found 'rss'"),
    ({"topology.hosts.gpu.bond": "lacp"}, "topology.hosts.gpu.bond: lacp, and each NIC has one port"),
    ({"topology.hosts.gpu.ports": 3}, "topology.hosts.gpu.ports: found the number 3"),
    (
        {"topology.hosts.gpu.ports": 2, "topology.hosts.gpu.interfaces": ["a", "b"]},
        "topology.hosts.gpu.interfaces: found 2, but 2 nics with 2 ports have 4",
    ),
    ({"topology.hosts.gpu.count": None}, "topology.hosts.gpu.count is missing"),
    (
        {"topology.hosts.gpu.leaves": 3},
        "topology.hosts.gpu.leaves: found 3, and 2 NIC ports cannot be spread evenly over them",
    ),
    ({"topology.hosts.gpu.stride": 1}, "topology.hosts.gpu.stride: found 1, and a group has 2 leaves"),
    (
        {"topology.hosts.gpu.attach": "dual", "topology.hosts.gpu.leaves": 2},
        "topology.hosts.gpu.leaves means nothing here",
    ),
    ({"addressing.hosts": LEAF_SUBNETS | {"length": [26, 64]}}, "addressing.hosts.length: found 2, and prefix has 1"),
    (
        {"addressing.hosts": LEAF_SUBNETS | {"length": 30}},
        "addressing.hosts.length: found 30, and subnets of leaves are cut from 10.64.0.0/12",
    ),
    (
        {"addressing.hosts": {"prefix": "10.64.0.0/12", "per": "nic", "length": 26}},
        "addressing.hosts.length: found 26, and per is nic",
    ),
    (
        {"addressing.hosts": LEAF_SUBNETS | {"per": "nic", "length": 31, "gateway": "anycast"}},
        "addressing.hosts.vlan means nothing with per: nic",
    ),
    (
        {"addressing.hosts": {"prefix": "10.64.0.0/12", "per": "leaf", "length": 26}},
        "addressing.hosts.vlan is missing: per is leaf",
    ),
    ({"addressing.hosts": {"prefix": "10.64.0.0/12"}}, "addressing.hosts.per is missing"),
    ({"addressing.hosts": LEAF_SUBNETS | {"vlna": 3}}, "addressing.hosts.vlna: unknown key"),
    ({"addressing.hosts": "2001:db8::/32"}, "addressing.hosts: IPv6, and loopbacks are IPv4"),
    ({"addressing.links": ["10.0.0.0/8", "2001:db8::/32"]}, "addressing.links: IPv4 and IPv6, and loopbacks are IPv4"),
    ({"addressing.router_ids": "10.254.0.0/16"}, "addressing.router_ids means nothing here"),
    (
        {key: value for key, value in IPV6.items() if key != "addressing.router_ids"},
        "addressing.router_ids is missing: loopbacks are IPv6 only",
    ),
    (
        {"classes.rdma.ecn.min": {"100G": 3}},
        "classes.rdma.ecn.min: found a mapping; at '100G': a quantity with its unit is wanted, such as 150KB or 2MiB",
    ),
    ({"classes.rdma.edge": ["gpus"]}, "classes.rdma.edge.0: there is no host role 'gpus'"),
    ({"classes.rdma.edge": ["leaf"]}, "classes.rdma.edge.0: 'leaf' is a role of switches"),
    (
        {"tenants": {"blue": {"vni": 1, "hosts": ["*"], "classes": ["rmda"]}}},
        "tenants.blue.classes.0: there is no class 'rmda'",
    ),
    ({"jobs.nccl.communicators": {"p": "rmda"}}, "jobs.nccl.communicators.p: there is no class 'rmda'"),
    ({"access": {"jump": JUMP, "hosts": {"jump": "bastoin"}}}, "access.hosts.jump: there is no jump host 'bastoin'"),
    (
        {"access": {"hosts": {"password": {}}}},
        "access.hosts.password: found a mapping; exactly one is wanted of env, keyring, prompt",
    ),
    (
        {"access": {"hosts": {"key": {"agent": True, "file": "x"}}}},
        "access.hosts.key: found a mapping; exactly one is wanted of agent, file",
    ),
    (
        {"access": {"hosts": {"key": {"agent": False}}}},
        "access.hosts.key.agent: found false; only true means something here",
    ),
    ({"external": [{"node": "leaf01"}]}, "external.0: found a mapping; neighbor or port is wanted, or both"),
    ({"waivers": [{"rule": "x", "at": "y"}]}, "waivers.0.reason is missing"),
    (
        {"waivers": [{"rule": "x", "at": "y", "reason": "because", "until": "2027-02-30"}]},
        "waivers.0.until: found '2027-02-30'; a day is wanted, such as 2027-06-30",
    ),
    ({"hooks": {"idle": "is-idle"}}, "hooks.idle: found 'is-idle'; the path of a program, with arguments, is wanted"),
    ({"routing": {"load_balance": "ecpm"}}, "routing.load_balance: found 'ecpm'"),
    ({"buffers": {"oversubscribe": 0}}, "buffers.oversubscribe: found the number 0"),
    ({"nodes": {"leaf01": {"state": "gone"}}}, "nodes.leaf01.state: found 'gone'"),
    ({"nodes": {"leaf01": {"ports": {"swp1": {"fec": 1}}}}}, "nodes.leaf01.ports.swp1.fec: found the number 1"),
    (
        {"topology.switches.leaf.count": 50_000, "topology.switches.spine.count": 40_000},
        "topology.cables.0: 2000000000 cables, 2000000008 in all",
    ),
    (
        PODS | {"topology.pods": 1000, "topology.switches.leaf.count": 1000, "topology.switches.leaf.stride": 1000},
        "topology.switches.leaf: 1000000 nodes, 1004002 in all",
    ),
]


@pytest.mark.parametrize(("changes", "message"), WRONG, ids=[message[:60] for _, message in WRONG])
def test_what_does_not_go_together_is_said_with_its_path(
    problems: Problems, valid: dict, changes: Changes, message: str
) -> None:
    found = problems(changed(valid, changes))
    assert message in [problem.message for problem in found]
    assert len(found) <= 2
    for problem in found:
        assert problem.hint
        assert problem.where.count(":") == 2


@pytest.mark.parametrize(
    ("role", "message"),
    [
        ({"of": "gup"}, "topology.hosts.disk.of: there is no host role 'gup'"),
        ({"of": "disk"}, "topology.hosts.disk.of: 'disk' has its machines from another role itself"),
        ({"of": "gpu", "count": 4}, "topology.hosts.disk.count beside of"),
        ({"of": "gpu", "system": "linux"}, "topology.hosts.disk.system beside of"),
    ],
)
def test_further_nics_belong_to_the_machines_of_another_role(
    problems: Problems, valid: dict, role: dict, message: str
) -> None:
    valid["topology"]["hosts"]["disk"] = {"nic": "soft-roce", "attach": "leaf", "per_group": 2} | role
    valid["topology"]["cables"].append({"from": "disk", "to": "leaf", "speed": "10G"})
    assert [problem.message for problem in problems(valid)] == [message]


def test_lengths_follow_prefixes_that_are_written_ipv4_first(problems: Problems, valid: dict) -> None:
    form = LEAF_SUBNETS | {"prefix": ["2001:db8:2::/48", "10.64.0.0/12"], "length": [64, 26]}
    changes = {"addressing.loopbacks": ["10.255.0.0/16", "2001:db8:1::/48"], "addressing.hosts": form}
    assert [p.message for p in problems(changed(valid, changes))] == [
        "addressing.hosts.prefix: the IPv6 prefix is first"
    ]

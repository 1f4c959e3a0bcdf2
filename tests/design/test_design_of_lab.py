"""The lab inventory, worked out by hand."""

from __future__ import annotations

from ipaddress import IPv4Network
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import load
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Neighbor, Router
from fabric.settings.buffers import Buffers
from fabric.settings.dcqcn import Dcqcn
from fabric.settings.ecn import Ecn, Marking, PortMarking
from fabric.settings.facet import ABSENT
from fabric.settings.links import Links, Port
from fabric.settings.maps import Maps
from fabric.settings.network import End, Link
from fabric.settings.nic import Nic, NicPort
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.policy import Lookup, Policy
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.routes import NextHop, Route, Routes
from fabric.settings.sysctl import Parameter, Sysctl
from fabric.settings.watchdog import Watch, Watchdog

LAB = Path(__file__).parents[2] / "inventories" / "lab"
G10 = 10_000_000_000


@pytest.fixture(scope="module")
def lab() -> Design:
    return design(load(LAB))


def test_nodes_stand_in_order_of_the_file_switches_before_hosts(lab: Design) -> None:
    assert list(lab.network.nodes) == [
        *("spine01", "spine02", "leaf01", "leaf02", "leaf03", "leaf04"),
        *("gpu01", "gpu02", "gpu03", "gpu04"),
    ]
    assert [(node.kind, node.tier, node.system, node.model) for node in lab.network.nodes.values()][1:7:4] == [
        ("switch", 2, "frr", "linux"),
        ("switch", 1, "frr", "linux"),
    ]
    gpu = lab.network.nodes["gpu01"]
    assert (gpu.role, gpu.kind, gpu.tier, gpu.system, gpu.model) == ("gpu", "host", 0, "linux", "soft-roce")


def test_cables_lead_from_lower_ends_in_order(lab: Design) -> None:
    up = [
        (f"leaf0{leaf}:swp{32 + spine}", f"spine0{spine}:swp{leaf}", G10, 5.0)
        for leaf in (1, 2, 3, 4)
        for spine in (1, 2)
    ]
    down = [
        ("gpu01:eth1", "leaf01:swp1", G10, 2.0),
        ("gpu01:eth2", "leaf02:swp1", G10, 2.0),
        ("gpu02:eth1", "leaf01:swp2", G10, 2.0),
        ("gpu02:eth2", "leaf02:swp2", G10, 2.0),
        ("gpu03:eth1", "leaf03:swp1", G10, 2.0),
        ("gpu03:eth2", "leaf04:swp1", G10, 2.0),
        ("gpu04:eth1", "leaf03:swp2", G10, 2.0),
        ("gpu04:eth2", "leaf04:swp2", G10, 2.0),
    ]
    assert [(str(link.a), str(link.b), link.speed, link.length) for link in lab.network.links] == up + down
    assert lab.network.ends[End("leaf04", "swp34")] == (
        Link(End("leaf04", "swp34"), End("spine02", "swp4"), G10, 5.0),
        End("spine02", "swp4"),
    )


def test_rails_say_where_each_nic_lands(lab: Design) -> None:
    seen = [(rail.node, rail.port, rail.rail, rail.address, rail.gateway, rail.leaf) for rail in lab.rails]
    assert seen[:2] == [
        ("gpu01", "eth1", 1, "10.64.0.1", "10.64.0.0", "leaf01"),
        ("gpu01", "eth2", 2, "10.64.0.129", "10.64.0.128", "leaf02"),
    ]
    assert seen[-1] == ("gpu04", "eth2", 2, "10.64.1.131", "10.64.1.130", "leaf04")
    assert (lab.rails[0].addresses, lab.rails[0].gateways) == (("10.64.0.1/31",), ("10.64.0.0",))
    assert (lab.rails[0].leaves, lab.rails[0].leg, lab.rails[0].role) == (("leaf01",), 1, "gpu")


def test_addresses_of_switches(lab: Design) -> None:
    rows = {name: list(node.settings.rows(Addresses)) for name, node in lab.network.nodes.items()}
    assert rows["spine02"] == ["lo 10.255.0.2/32"]
    assert rows["leaf01"] == ["lo 10.255.16.1/32", "swp1 10.64.0.0/31", "swp2 10.64.0.2/31"]
    assert rows["leaf04"] == ["lo 10.255.16.4/32", "swp1 10.64.1.128/31", "swp2 10.64.1.130/31"]
    assert rows["gpu03"] == ["eth1 10.64.1.1/31", "eth2 10.64.1.129/31"]


def test_bgp_of_a_leaf(lab: Design) -> None:
    peer = Neighbor("external", interface=True, activated=True, bfd=False)
    rows = lab.network.nodes["leaf03"].settings.rows(Bgp)
    assert rows["router"] == Router(65103, "10.255.16.3", 64, multipath_relax=True, requires_policy=False)
    assert {key: row for key, row in rows.items() if key.startswith("neighbor")} == {
        "neighbor swp33": peer,
        "neighbor swp34": peer,
    }
    assert [key for key in rows if key.startswith("network")] == [
        "network 10.255.16.3/32",
        "network 10.64.1.0/31",
        "network 10.64.1.2/31",
    ]


def test_bgp_of_a_spine(lab: Design) -> None:
    rows = lab.network.nodes["spine01"].settings.rows(Bgp)
    assert rows["router"] == Router(65000, "10.255.0.1", 64, multipath_relax=True, requires_policy=False)
    assert list(rows)[1:] == [*(f"neighbor swp{leaf}" for leaf in (1, 2, 3, 4)), "network 10.255.0.1/32"]
    assert Bgp.name not in {facet.name for facet in lab.network.nodes["gpu01"].settings}


def test_links_carry_the_ip_mtu_and_the_speed_of_the_cable(lab: Design) -> None:
    port = Port(mtu=9000, enabled=True, speed=G10)
    assert lab.network.nodes["leaf01"].settings.rows(Links) == dict.fromkeys(("swp1", "swp2", "swp33", "swp34"), port)
    assert lab.network.nodes["gpu01"].settings.rows(Links) == {"eth1": port, "eth2": port}
    assert lab.mtu == 9000


@pytest.mark.parametrize(("node", "port"), [("spine01", "swp1"), ("leaf02", "swp33"), ("gpu04", "eth2")])
def test_dscps_lead_to_priorities_and_queues(lab: Design, node: str, port: str) -> None:
    row = lab.network.nodes[node].settings.rows(Maps)[port]
    assert {dscp: priority for dscp, priority in enumerate(row.dscp_to_priority) if priority} == {26: 3, 10: 1, 48: 6}
    assert len(row.dscp_to_priority) == 64
    assert row.priority_to_queue == (0, 1, 0, 3, 0, 0, 6, 0)


@pytest.mark.parametrize(("node", "port"), [("spine01", "swp1"), ("gpu04", "eth2")])
def test_queues_and_pfc_are_those_of_the_classes(lab: Design, node: str, port: str) -> None:
    settings = lab.network.nodes[node].settings
    assert settings.rows(Queues)[port] == Scheduler(
        (
            Queue(0, 20, limit=None),
            Queue(1, 20, limit=None),
            Queue(3, 60, limit=None),
            Queue(6, 0, strict=True, limit=None),
        )
    )
    assert settings.rows(Pfc)[port] == Pause(frozenset({3}))


def test_marking_and_watchdog_are_for_switches(lab: Design) -> None:
    leaf, gpu = lab.network.nodes["leaf01"].settings, lab.network.nodes["gpu01"].settings
    assert leaf.rows(Ecn)["swp34"] == PortMarking((Marking(3, 100_000, 400_000, 20.0),))
    assert leaf.rows(Watchdog)["swp1"] == Watch(200, 400, "drop")
    assert leaf.get(Buffers) is ABSENT
    assert gpu.get(Ecn) is ABSENT
    assert gpu.get(Watchdog) is ABSENT


def test_nics_mark_what_jobs_send(lab: Design) -> None:
    gpu = lab.network.nodes["gpu01"].settings
    assert gpu.rows(Nic)["eth2"] == NicPort(rdma_mtu=4096, traffic_class=104, persist=True, cm_tos=104, cm_mode="v2")
    assert gpu.get(Dcqcn) is ABSENT


def test_a_host_leaves_by_all_rails_and_answers_by_its_own(lab: Design) -> None:
    gpu = lab.network.nodes["gpu02"].settings
    first, second = NextHop("10.64.0.2", "eth1"), NextHop("10.64.0.130", "eth2")
    assert gpu.rows(Routes) == {
        "main 10.64.0.0/12": Route((first, second)),
        "main 10.255.0.0/16": Route((first, second)),
        "101 default": Route((first,)),
        "102 default": Route((second,)),
    }
    assert gpu.rows(Policy) == {"from 10.64.0.3": Lookup(101, 1001), "from 10.64.0.131": Lookup(102, 1002)}


def test_kernel_parameters(lab: Design) -> None:
    assert lab.network.nodes["leaf01"].settings.rows(Sysctl) == {
        "net.ipv4.ip_forward": Parameter("1"),
        "net.ipv6.conf.all.forwarding": Parameter("1"),
        "net.ipv4.fib_multipath_hash_policy": Parameter("1"),
        "net.ipv4.conf.all.rp_filter": Parameter("0"),
        "net.ipv4.conf.swp1.rp_filter": Parameter("0"),
        "net.ipv4.conf.swp2.rp_filter": Parameter("0"),
        "net.ipv4.conf.swp33.rp_filter": Parameter("0"),
        "net.ipv4.conf.swp34.rp_filter": Parameter("0"),
    }
    assert lab.network.nodes["gpu01"].settings.rows(Sysctl) == {
        "net.ipv4.conf.all.arp_ignore": Parameter("1"),
        "net.ipv4.conf.all.arp_announce": Parameter("2"),
        "net.ipv4.conf.all.rp_filter": Parameter("2"),
    }


def test_scopes_are_ports_pools_and_names(lab: Design) -> None:
    leaf, gpu = lab.scopes["leaf01"], lab.scopes["gpu01"]
    pools = (IPv4Network("10.255.0.0/16"), IPv4Network("10.64.0.0/12"))
    assert leaf.ports == {"lo", "swp1", "swp2", "swp33", "swp34"}
    assert leaf.prefixes == pools
    assert "sysctl net.ipv4.ip_forward" in leaf.names
    assert gpu.ports == {"eth1", "eth2"}
    assert gpu.prefixes == pools
    assert {name for name in gpu.names if name.startswith("routes")} == {
        *("routes main 10.64.0.0/12", "routes main 10.255.0.0/16", "routes 101 default", "routes 102 default"),
    }


def test_all_that_is_designed_lies_in_the_scope_of_its_node(lab: Design) -> None:
    for name, node in lab.network.nodes.items():
        assert node.settings.within(lab.scopes[name]) == node.settings


def test_facts_come_from_hardware_data(lab: Design) -> None:
    leaf, gpu = lab.network.nodes["leaf01"].facts, lab.network.nodes["gpu01"].facts
    assert (leaf.system, leaf.model, leaf.release) == ("frr", "linux", ABSENT)
    assert leaf.ports == {f"swp{number}" for number in range(1, 65)}
    assert (gpu.system, gpu.ports) == ("linux", {"eth1", "eth2"})


def test_classes_have_their_defaults(lab: Design) -> None:
    classes = {found.name: found for found in lab.classes}
    assert list(classes) == ["rdma", "bulk", "cnp", "default"]
    rdma, default = classes["rdma"], classes["default"]
    assert (rdma.mark, rdma.queue, rdma.congestion, rdma.share) == (26, 3, "dcqcn", 60)
    assert (rdma.ecn, rdma.kmin, rdma.kmax, rdma.pmax, rdma.ecn_auto) == (True, 100_000, 400_000, 20.0, ())
    assert (len(default.dscps), default.mark, default.congestion) == (61, None, "none")
    assert not {26, 10, 48} & set(default.dscps)
    assert (classes["bulk"].ecn, classes["bulk"].kmin) == (False, None)


def test_equal_files_make_equal_designs(lab: Design) -> None:
    again = design(load(LAB))
    assert again == lab
    assert repr(again.network) == repr(lab.network)

"""The pod16 inventory, worked out by hand: SONiC names, numbered links, headroom computed, thresholds left open."""

from __future__ import annotations

from ipaddress import IPv4Network
from pathlib import Path

import pytest

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import load
from fabric.settings.addresses import Addresses
from fabric.settings.bgp import Bgp, Neighbor, Router
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.dcqcn import Dcqcn, Parameters
from fabric.settings.ecn import Ecn, Marking, PortMarking
from fabric.settings.facet import ABSENT
from fabric.settings.links import Links, Port
from fabric.settings.maps import Maps
from fabric.settings.nic import Nic, NicPort
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.sysctl import Sysctl

POD16 = Path(__file__).parents[2] / "inventories" / "pod16"


@pytest.fixture(scope="module")
def pod16() -> Design:
    return design(load(POD16))


def test_ports_have_sonic_names_and_halves(pod16: Design) -> None:
    ends = {str(link.a): str(link.b) for link in pod16.network.links}
    assert len(pod16.network.links) == 4 * 2 * 8 + 16 * 4
    assert ends["leaf01:Ethernet256"] == "spine01:Ethernet0"
    assert ends["leaf01:Ethernet312"] == "spine01:Ethernet56"
    assert ends["leaf01:Ethernet320"] == "spine02:Ethernet0"
    assert ends["leaf04:Ethernet376"] == "spine02:Ethernet248"
    assert ends["gpu01:nic1"] == "leaf01:Ethernet0"
    assert ends["gpu16:nic4"] == "leaf04:Ethernet120"


def test_every_nic_of_a_host_is_on_its_own_rail(pod16: Design) -> None:
    assert {(rail.rail, rail.leaf) for rail in pod16.rails} == {(rail, f"leaf0{rail}") for rail in (1, 2, 3, 4)}
    assert len(pod16.rails) == 64


def test_numbered_links_have_the_even_address_above(pod16: Design) -> None:
    leaf = list(pod16.network.nodes["leaf02"].settings.rows(Addresses))
    spine = list(pod16.network.nodes["spine02"].settings.rows(Addresses))
    # leaf02, port 33: /31 number 1 * 64 + 32 = 96 of 10.128.0.0/16; port 41 is its first port to spine02
    assert "Ethernet256 10.128.0.193/31" in leaf
    assert "Ethernet320 10.128.0.209/31" in leaf
    assert "Ethernet64 10.128.0.208/31" in spine
    assert leaf[:2] == ["lo 10.255.16.2/32", "Ethernet0 10.64.0.128/31"]
    assert spine[0] == "lo 10.255.0.2/32"
    assert len(leaf) == 1 + 16 + 16
    assert len(spine) == 1 + 32


def test_numbered_sessions_know_the_as_number_of_the_other_end(pod16: Design) -> None:
    leaf = pod16.network.nodes["leaf02"].settings.rows(Bgp)
    spine = pod16.network.nodes["spine02"].settings.rows(Bgp)
    assert leaf["router"] == Router(65102, "10.255.16.2", 64, multipath_relax=True, requires_policy=False)
    assert leaf["neighbor 10.128.0.208"] == Neighbor("65000", interface=False, activated=True, bfd=False)
    assert spine["neighbor 10.128.0.209"] == Neighbor("65102", interface=False, activated=True, bfd=False)
    assert sum(key.startswith("neighbor") for key in leaf) == 16
    assert [key for key in leaf if key.startswith("network")][:2] == [
        "network 10.255.16.2/32",
        "network 10.64.0.128/31",
    ]


def test_links_are_400g(pod16: Design) -> None:
    rows = pod16.network.nodes["spine01"].settings.rows(Links)
    assert list(rows) == [f"Ethernet{8 * number}" for number in range(32)]
    assert set(rows.values()) == {Port(mtu=9000, enabled=True, speed=400_000_000_000)}


def test_thresholds_that_are_auto_are_computed(pod16: Design) -> None:
    leaf = pod16.network.nodes["leaf01"].settings
    # 70 m and three switches: 2 x (2 x 600 + 3 x 800 + 70 x 5) ns = 7.9 us, and 395000 B at 400G. Half of it and twice
    # it, in whole cells of 254 B: 777 and 3110 of them.
    assert leaf.rows(Ecn)["Ethernet0"] == PortMarking((Marking(3, 197_358, 789_940, 5.0),))
    rdma = pod16.classes[0]
    assert (rdma.ecn, rdma.kmin, rdma.kmax, rdma.pmax, rdma.ecn_auto) == (True, None, None, 5.0, ("kmin", "kmax"))


def test_headroom_that_is_auto_is_computed(pod16: Design) -> None:
    leaf = pod16.network.nodes["leaf01"].settings
    # Tomahawk 4, 400G, MTU 9000: tests/design/test_headroom.py has the sums of 5 m and 30 m
    assert leaf.rows(Buffers)["Ethernet0"] == PortBuffer(headroom=379_476, alpha=0.125, length=5, mtu=9000)
    assert leaf.rows(Buffers)["Ethernet256"] == PortBuffer(headroom=418_846, alpha=0.125, length=30, mtu=9000)


def test_three_classes_share_the_link(pod16: Design) -> None:
    rows = pod16.network.nodes["leaf01"].settings
    assert rows.rows(Queues)["Ethernet0"] == Scheduler(
        (Queue(0, 30, limit=None), Queue(3, 70, limit=None), Queue(6, 0, strict=True, limit=None))
    )
    assert rows.rows(Maps)["Ethernet0"].priority_to_queue == (0, 0, 0, 3, 0, 0, 6, 0)


def test_mlx5_nics_get_their_own_parameters(pod16: Design) -> None:
    gpu = pod16.network.nodes["gpu07"].settings
    assert gpu.rows(Nic)["nic1"] == NicPort(
        rdma_mtu=4096,
        traffic_class=104,
        persist=True,
        cnp_dscp=48,
        trust="dscp",
        dcbx="host",
        cm_tos=104,
        cm_mode="v2",
    )
    assert gpu.rows(Dcqcn)["nic4"] == Parameters(
        (("min_time_between_cnps", 4), ("rpg_ai_rate", 5), ("rpg_hai_rate", 50), ("rpg_time_reset", 300))
    )


def test_sonic_has_no_kernel_parameters_of_ours(pod16: Design) -> None:
    assert pod16.network.nodes["leaf01"].settings.get(Sysctl) is ABSENT
    assert pod16.network.nodes["gpu01"].settings.get(Sysctl) is not ABSENT


def test_facts_know_the_release_and_not_the_devices_of_the_nics(pod16: Design) -> None:
    leaf, gpu = pod16.network.nodes["leaf01"].facts, pod16.network.nodes["gpu01"].facts
    assert (leaf.system, leaf.release, leaf.model) == ("sonic", "202411", "as9736-64d")
    assert leaf.ports == {f"Ethernet{8 * number}" for number in range(64)}
    assert gpu.ports is ABSENT


def test_the_pool_of_links_is_in_the_scope(pod16: Design) -> None:
    pools = tuple(map(IPv4Network, ("10.255.0.0/16", "10.128.0.0/16", "10.64.0.0/12")))
    assert pod16.scopes["leaf01"].prefixes == pools


def test_ports_are_not_repeated(pod16: Design) -> None:
    ends = [end for link in pod16.network.links for end in (link.a, link.b)]
    addresses = [key.split()[1] for node in pod16.network.nodes.values() for key in node.settings.rows(Addresses)]
    assert len(set(ends)) == len(ends)
    assert len(set(addresses)) == len(addresses)

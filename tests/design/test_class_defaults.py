"""What classes become, and what they mean on ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fabric.design.model import Design, TrafficClass
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.dcqcn import Dcqcn
from fabric.settings.ecn import Ecn, Marking, PortMarking
from fabric.settings.facet import ABSENT
from fabric.settings.maps import Maps
from fabric.settings.nic import Nic, NicPort
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.queues import Queue, Queues, Scheduler
from fabric.settings.watchdog import Watchdog

Small = Callable[[Mapping[str, Any]], Design]
ECN = {"min": "1MB", "max": "2MB", "probability": "5%"}


def named(found: Design, name: str) -> TrafficClass:
    return next(row for row in found.classes if row.name == name)


@pytest.mark.parametrize(
    ("keys", "congestion"),
    [
        ({"lossless": True, "ecn": ECN}, "dcqcn"),
        ({"lossless": True}, "pfc-only"),
        ({"lossless": False, "ecn": ECN}, "dcqcn"),
        ({"lossless": False}, "none"),
        ({"rdma": False, "ecn": ECN}, "none"),
        ({"congestion": "pfc-only"}, "pfc-only"),
    ],
)
def test_congestion_follows_from_the_kind_of_class(small: Small, keys: Mapping[str, Any], congestion: str) -> None:
    found = small({f"classes.rdma.{key}": value for key, value in keys.items()})
    assert named(found, "rdma").congestion == congestion


def test_several_dscps_are_marked_as_written_and_all_classified(small: Small) -> None:
    found = small({"classes.rdma.dscp": [26, 24, 25], "classes.rdma.mark": 24})
    rdma = named(found, "rdma")
    assert (rdma.dscps, rdma.mark) == ((24, 25, 26), 24)
    row = found.network.nodes["leaf01"].settings.rows(Maps)["swp1"]
    assert [row.dscp_to_priority[dscp] for dscp in (23, 24, 25, 26, 27)] == [0, 3, 3, 3, 0]
    assert found.network.nodes["gpu01"].settings.rows(Nic)["eth1"].traffic_class == 96


def test_a_queue_apart_from_the_priority(small: Small) -> None:
    found = small({"classes.rdma.queue": 5, "classes.default.queue": 1})
    settings = found.network.nodes["leaf01"].settings
    assert settings.rows(Maps)["swp1"].priority_to_queue == (1, 1, 1, 5, 1, 1, 1, 1)
    assert [queue.number for queue in settings.rows(Queues)["swp1"].queues] == [1, 5]
    assert settings.rows(Pfc)["swp1"] == Pause(frozenset({3}))


def test_classes_in_one_queue_add_up(small: Small) -> None:
    bulk = {"dscp": 10, "priority": 1, "queue": 0, "share": "10%", "strict": True, "limit": "1G"}
    found = small({"classes.bulk": bulk})
    assert found.network.nodes["leaf01"].settings.rows(Queues)["swp1"] == Scheduler(
        (Queue(0, 50, strict=True, limit=1_000_000_000), Queue(3, 60, limit=None))
    )


def test_a_limit_stands_in_the_queue(small: Small) -> None:
    found = small({"classes.rdma.limit": "5G"})
    assert found.network.nodes["gpu01"].settings.rows(Queues)["eth1"].queues[1].limit == 5_000_000_000
    assert named(found, "rdma").limit == 5_000_000_000


def test_a_limit_that_a_port_cannot_exceed_is_none_there(small: Small) -> None:
    cables = [{"from": "leaf", "to": "spine", "speed": "40G"}, {"from": "gpu", "to": "leaf", "speed": "10G"}]
    found = small({"classes.rdma.limit": "10G", "topology.cables": cables})
    leaf = found.network.nodes["leaf01"].settings.rows(Queues)
    assert [leaf[port].queues[1].limit for port in ("swp1", "swp33")] == [None, 10_000_000_000]
    assert found.network.nodes["gpu01"].settings.rows(Queues)["eth1"].queues[1].limit is None
    assert "3 rdma 60% up to 10G (no limit on ports that are not faster)" in found.origins["leaf01.queues.swp1"].reason


def test_the_first_class_of_the_file_has_what_two_claim(small: Small) -> None:
    found = small(
        {"classes.late": {"dscp": [26, 27], "mark": 27, "priority": 3, "queue": 6, "share": "0%", "ecn": ECN}}
    )
    row = found.network.nodes["leaf01"].settings.rows(Maps)["swp1"]
    assert (row.dscp_to_priority[26], row.priority_to_queue[3]) == (3, 3)


def test_marking_lists_queues_in_order(small: Small) -> None:
    late = {"dscp": 8, "priority": 1, "share": "0%", "ecn": {"min": "auto", "max": "auto", "probability": "auto"}}
    found = small({"classes.rdma.ecn": ECN, "classes.late": late})
    assert found.network.nodes["spine01"].settings.rows(Ecn)["swp1"] == PortMarking(
        (Marking(1, ABSENT, ABSENT, ABSENT), Marking(3, 1_000_000, 2_000_000, 5.0))
    )
    assert named(found, "late").ecn_auto == ("kmin", "kmax", "pmax")


def test_without_ecn_and_watchdog_there_is_none(small: Small) -> None:
    settings = small({}).network.nodes["leaf01"].settings
    assert settings.get(Ecn) == Ecn({})
    assert settings.get(Watchdog) == Watchdog({})


def test_without_lossless_classes_nothing_is_paused(small: Small) -> None:
    found = small({"classes.rdma.lossless": False})
    assert found.network.nodes["leaf01"].settings.rows(Pfc)["swp1"] == Pause(frozenset())


@pytest.mark.parametrize(
    ("buffers", "row"),
    [
        ({"headroom": "100KB", "alpha": "1/4"}, PortBuffer(100_000, 0.25)),
        ({"headroom": "auto"}, PortBuffer(ABSENT, ABSENT)),
    ],
)
def test_buffers_are_as_written(small: Small, buffers: Mapping[str, str], row: PortBuffer) -> None:
    assert small({"buffers": buffers}).network.nodes["leaf01"].settings.rows(Buffers)["swp33"] == row


def test_without_nic_settings_the_mark_is_still_set(small: Small) -> None:
    rows = small({}).network.nodes["gpu01"].settings.rows(Nic)
    assert rows["eth1"] == NicPort(rdma_mtu=ABSENT, traffic_class=104, persist=ABSENT)


def test_without_rdma_and_nic_settings_there_is_no_opinion(small: Small) -> None:
    found = small({"classes.rdma.rdma": False})
    assert found.network.nodes["gpu01"].settings.get(Nic) is ABSENT


def test_without_a_mark_the_traffic_class_is_left_alone(small: Small) -> None:
    found = small({"classes.rdma.rdma": False, "nic_settings": {"persist": False}})
    assert found.network.nodes["gpu01"].settings.rows(Nic)["eth1"] == NicPort(ABSENT, ABSENT, persist=False)


def test_jobs_choose_the_class_that_nics_mark(small: Small) -> None:
    other = {"rdma": True, "dscp": 34, "priority": 4, "share": "0%"}
    found = small({"classes.other": other, "jobs": {"nccl": {"class": "other"}}})
    assert found.network.nodes["gpu01"].settings.rows(Nic)["eth1"].traffic_class == 136


def test_mlx5_settings_are_for_mlx5_nics_only(small: Small) -> None:
    nic_settings = {"mlx5": {"dcqcn": {"rpg_ai_rate": 5}}}
    assert small({"nic_settings": nic_settings}).network.nodes["gpu01"].settings.get(Dcqcn) is ABSENT
    found = small({"nic_settings": nic_settings, "topology.hosts.gpu.nic": "connectx-7"})
    assert found.network.nodes["gpu01"].settings.rows(Dcqcn)["nic1"].values == (("rpg_ai_rate", 5),)


def test_mlx5_without_parameters_is_no_opinion(small: Small) -> None:
    found = small({"nic_settings": {"mlx5": {}}, "topology.hosts.gpu.nic": "connectx-7"})
    assert found.network.nodes["gpu01"].settings.get(Dcqcn) is ABSENT


def test_ports_that_are_alike_share_one_value(small: Small) -> None:
    settings = small({}).network.nodes["leaf01"].settings
    for facet in (Maps, Queues, Pfc):
        rows = settings.rows(facet)
        assert len({id(row) for row in rows.values()}) == 1

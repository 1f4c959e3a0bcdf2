"""What classes become, and what they mean on ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from fabric.design.classes import communicator_classes
from fabric.design.model import Design, TrafficClass
from fabric.design.quality import Quality
from fabric.design.why import Origins
from fabric.errors import DesignError
from fabric.settings.balance import Balance
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.dcqcn import Dcqcn, Parameters
from fabric.settings.ecn import Ecn, Marking, PortMarking
from fabric.settings.facet import ABSENT
from fabric.settings.maps import ClassMap, Maps
from fabric.settings.network import End
from fabric.settings.nic import Nic, NicPort
from fabric.settings.pfc import Pause, Pfc
from fabric.settings.pools import BufferPool
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
        # 10G through kernels, whose speed nobody knows: sizes stay open, and the probability is the profile's
        (Marking(1, ABSENT, ABSENT, 20.0), Marking(3, 1_000_000, 2_000_000, 5.0))
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
    assert rows["eth1"] == NicPort(rdma_mtu=ABSENT, traffic_class=104, persist=ABSENT, cm_tos=104, cm_mode="v2")


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


def storage() -> dict[str, Any]:
    """Return changes that add a storage role, and a lossless class for it alone."""
    return {
        "topology.hosts.storage": {"count": 2, "nics": 1, "nic": "soft-roce", "attach": "leaf", "per_group": 2},
        "topology.cables.2": {"from": "storage", "to": "leaf", "speed": "10G"},
        "classes.storage": {
            "rdma": True,
            "dscp": 34,
            "priority": 4,
            "lossless": True,
            "share": "25%",
            "ecn": ECN,
            "edge": ["storage"],
        },
        "classes.default.share": "15%",
    }


def leaf_port(found: Design, host: str) -> tuple[str, str]:
    """Return the leaf and its port at the other end of NIC 1 of a host."""
    _, end = found.network.ends[End(host, "eth1")]
    return end.node, end.port


def quality_of(found: Design) -> Quality:
    assert isinstance(found.origins, Origins)
    return found.origins.blueprint.quality


def priorities(**by_dscp: int) -> tuple[int, ...]:
    """Return a map of DSCPs: ``_26=3`` sends DSCP 26 to priority 3; everything else goes to priority 0."""
    return tuple(by_dscp.get(f"_{dscp}", 0) for dscp in range(64))


def test_a_second_lossless_class_is_where_storage_is_and_between_switches(small: Small) -> None:
    found = small(storage())
    leaf, port = leaf_port(found, "storage01")
    spine = found.network.nodes["spine01"].settings
    for settings, name in ((found.network.nodes[leaf].settings, port), (spine, "swp1")):
        assert settings.rows(Maps)[name] == ClassMap(priorities(_26=3, _34=4), (0, 0, 0, 3, 4, 0, 0, 0))
        assert settings.rows(Queues)[name] == Scheduler(
            (Queue(0, 15, limit=None), Queue(3, 60, limit=None), Queue(4, 25, limit=None))
        )
        assert settings.rows(Pfc)[name] == Pause(frozenset({3, 4}))
        assert settings.rows(Ecn)[name] == PortMarking((Marking(4, 1_000_000, 2_000_000, 5.0),))
    host = found.network.nodes["storage01"].settings
    assert host.rows(Pfc)["eth1"] == Pause(frozenset({3, 4}))
    assert host.rows(Maps)["eth1"].dscp_to_priority[34] == 4


def test_an_edge_that_does_not_carry_a_class_has_nothing_of_it(small: Small) -> None:
    found = small(storage())
    leaf, port = leaf_port(found, "gpu01")
    assert port not in found.network.nodes[leaf].settings.rows(Ecn)
    for settings, name in (
        (found.network.nodes[leaf].settings, port),
        (found.network.nodes["gpu01"].settings, "eth1"),
    ):
        assert settings.rows(Maps)[name] == ClassMap(priorities(_26=3), (0, 0, 0, 3, 0, 0, 0, 0))
        assert settings.rows(Queues)[name] == Scheduler((Queue(0, 40, limit=None), Queue(3, 60, limit=None)))
        assert settings.rows(Pfc)[name] == Pause(frozenset({3}))


def test_the_dscps_that_an_edge_does_not_carry_go_to_the_priority_of_default(small: Small) -> None:
    found = small(storage() | {"classes.default.priority": 2})
    leaf, port = leaf_port(found, "gpu01")
    row = found.network.nodes[leaf].settings.rows(Maps)[port]
    assert (row.dscp_to_priority[34], row.dscp_to_priority[26], row.dscp_to_priority[0]) == (2, 3, 2)
    assert row.priority_to_queue == (2, 2, 2, 3, 2, 2, 2, 2)


def test_a_strict_default_leaves_the_share_to_the_first_class_that_has_one(small: Small) -> None:
    found = small(storage() | {"classes.default": {"priority": 0, "strict": True}, "classes.storage.share": "40%"})
    assert found.network.nodes["gpu01"].settings.rows(Queues)["eth1"] == Scheduler(
        (Queue(0, 0, strict=True, limit=None), Queue(3, 100, limit=None))
    )


def test_a_host_marks_the_rdma_class_that_its_edge_carries(small: Small) -> None:
    found = small(storage() | {"classes.rdma.edge": ["gpu"], "jobs": {"nccl": {"class": "rdma"}}})
    assert found.network.nodes["gpu01"].settings.rows(Nic)["eth1"].traffic_class == 104
    assert found.network.nodes["storage01"].settings.rows(Nic)["eth1"].traffic_class == 136
    assert found.network.nodes["storage01"].settings.rows(Pfc)["eth1"] == Pause(frozenset({4}))


def test_the_edge_of_default_has_no_effect(small: Small) -> None:
    found = small({"classes.default.edge": ["gpu"]})
    assert named(found, "default").edge is None


def test_equal_answers_are_one_object(small: Small) -> None:
    shared = quality_of(small(storage()))
    speed = 10_000_000_000
    assert shared.on(speed, None) is shared.on(speed, "storage")
    assert shared.on(speed, "gpu") is not shared.on(speed, "storage")


def test_thresholds_are_those_of_the_speed_of_the_port(small: Small) -> None:
    cables = [{"from": "leaf", "to": "spine", "speed": "40G"}, {"from": "gpu", "to": "leaf", "speed": "10G"}]
    ecn = {"min": {"10G": "100KB", "40G": "400KB"}, "max": {"10G": "300KB", "40G": "1200KB"}, "probability": "5%"}
    found = small({"topology.cables": cables, "classes.rdma.ecn": ecn})
    rows = found.network.nodes["leaf01"].settings.rows(Ecn)
    assert rows["swp1"] == PortMarking((Marking(3, 100_000, 300_000, 5.0),))
    assert rows["swp33"] == PortMarking((Marking(3, 400_000, 1_200_000, 5.0),))
    rdma = named(found, "rdma")
    assert (rdma.kmin, rdma.kmin_by_speed) == (None, ((10 * 10**9, 100_000), (40 * 10**9, 400_000)))
    assert (rdma.kmin_on(10 * 10**9), rdma.kmax_on(40 * 10**9), rdma.speeds) == (
        100_000,
        1_200_000,
        (10**10, 4 * 10**10),
    )
    assert found.origins["classes.rdma.kmin"].reason == (
        "written as classes.rdma.ecn.min, per speed: 100KB at 10G, 400KB at 40G"
    )
    assert found.origins["leaf01.ecn.swp1"].reason.startswith("queue 3 rdma: written as classes.rdma.ecn")


def test_one_threshold_may_be_for_all_speeds(small: Small) -> None:
    ecn = {"min": "100KB", "max": {"10G": "300KB"}, "probability": "auto"}
    rows = small({"classes.rdma.ecn": ecn}).network.nodes["spine01"].settings.rows(Ecn)
    assert rows["swp1"] == PortMarking((Marking(3, 100_000, 300_000, 20.0),))


def test_a_speed_without_a_threshold_is_refused_with_the_speeds_that_have_one(small: Small) -> None:
    ecn = {"min": {"40G": "400KB", "100G": "1MB"}, "max": "4MB", "probability": "5%"}
    with pytest.raises(DesignError) as caught:
        small({"classes.rdma.ecn": ecn})
    assert caught.value.message == (
        "classes.rdma.ecn.min has no size for 10G, and ports run at it; there are sizes for 40G, 100G"
    )
    assert caught.value.hint == "add 10G: SIZE, or give one size for all speeds"
    assert caught.value.where.startswith("fabric.yaml:")
    assert len(caught.value.problems) == 1


def test_no_threshold_is_needed_where_the_class_is_not_carried(small: Small) -> None:
    cables = [
        {"from": "leaf", "to": "spine", "speed": "40G"},
        {"from": "gpu", "to": "leaf", "speed": "10G"},
        {"from": "storage", "to": "leaf", "speed": "40G"},
    ]
    changes = {key: value for key, value in storage().items() if key != "topology.cables.2"}
    ecn = {"min": {"40G": "400KB"}, "max": {"40G": "1MB"}, "probability": "5%"}
    found = small(changes | {"topology.cables": cables, "classes.storage.ecn": ecn})
    assert "eth1" in found.network.nodes["gpu01"].settings.rows(Pfc)
    with pytest.raises(DesignError, match="has no size for 10G"):
        quality_of(found).on(10 * 10**9, "storage")


def test_cnps_have_several_dscps_and_a_maker_its_own(small: Small) -> None:
    cnp = {"dscp": [46, 48], "mark": 48, "priority": 6, "strict": True}
    changes = {
        "classes.rdma.dscp": [24, 26],
        "classes.rdma.mark": 26,
        "classes.cnp": cnp,
        "nic_settings": {"bnxt": {"cnp_dscp": 46, "dcqcn": {"cr_prob_fac": 5}}, "mlx5": {"dcqcn": {"rpg_ai_rate": 5}}},
    }
    found = small(changes)
    shared, row = quality_of(found), found.network.nodes["leaf01"].settings.rows(Maps)["swp1"]
    assert row == ClassMap(priorities(_24=3, _26=3, _46=6, _48=6), (0, 0, 0, 3, 0, 0, 6, 0))
    assert found.network.nodes["gpu01"].settings.rows(Nic)["eth1"].traffic_class == 104
    assert (shared.cnp_dscp("mlx5"), shared.cnp_dscp("bnxt"), shared.cnp_dscp("soft_roce")) == (48, 46, None)
    assert shared.dcqcn("mlx5") == Parameters((("rpg_ai_rate", 5),))
    assert shared.dcqcn("bnxt") == Parameters((("cr_prob_fac", 5),))
    assert shared.dcqcn("soft_roce") is None
    marks = NicPort(ABSENT, traffic_class=104, persist=True, cm_tos=104, cm_mode="v2")
    assert shared.nic("mlx5", "gpu") == replace(marks, cnp_dscp=48, trust="dscp", dcbx="host")
    assert shared.nic("bnxt", "gpu") == replace(marks, cnp_dscp=46, trust="dscp", dcbx="host")
    assert shared.nic("soft_roce", "gpu") == marks


def test_settings_of_the_slot_are_as_written(small: Small) -> None:
    found = small({"nic_settings": {"read_request": 4096, "relaxed_ordering": True, "acs": False}})
    row = found.network.nodes["gpu01"].settings.rows(Nic)["eth1"]
    assert (row.read_request, row.relaxed_ordering, row.acs) == (4096, True, False)


@pytest.mark.parametrize(
    ("nic", "reason"),
    [
        ("thor2", "with DSCP 46: written as nic_settings.bnxt.cnp_dscp, which goes before the mark of class cnp"),
        ("connectx-7", "with DSCP 48: the mark of class cnp"),
    ],
)
def test_why_nics_send_cnps_with_their_dscp(small: Small, nic: str, reason: str) -> None:
    found = small(
        {
            "topology.hosts.gpu.nic": nic,
            "classes.cnp": {"dscp": [46, 48], "mark": 48, "priority": 6, "strict": True},
            "nic_settings": {"bnxt": {"cnp_dscp": 46}},
        }
    )
    said = found.origins["gpu01.nic.nic1"].reason
    assert said.startswith("nic_settings; traffic class 104 = 4 x DSCP 26 of class rdma; CNPs of ")
    assert said.endswith(f"{reason}; alike on all cabled ports")


@pytest.mark.parametrize(
    ("keys", "congestion", "paused", "marked"),
    [
        ({"lossless": True}, "pfc-only", {3}, False),
        ({"lossless": True, "congestion": "pfc-only"}, "pfc-only", {3}, False),
        ({"lossless": False, "ecn": ECN}, "dcqcn", set(), True),
        ({"lossless": False, "ecn": ECN, "congestion": "ecn-only"}, "ecn-only", set(), True),
        ({"lossless": True, "congestion": "nic"}, "nic", {3}, False),
        ({"lossless": False, "congestion": "nic", "ecn": ECN}, "nic", set(), True),
        ({"lossless": False, "congestion": "none"}, "none", set(), False),
    ],
    ids=["pfc-only", "pfc-only-written", "lossy-roce", "lossy-ecn-only", "nic-lossless", "nic-lossy-marked", "nothing"],
)
def test_each_way_of_slowing_down_has_what_it_needs_on_ports(
    small: Small, keys: Mapping[str, Any], congestion: str, paused: set[int], marked: bool
) -> None:
    found = small({f"classes.rdma.{key}": value for key, value in keys.items()})
    leaf = found.network.nodes["leaf01"].settings
    assert named(found, "rdma").congestion == congestion
    assert leaf.rows(Maps)["swp1"] == ClassMap(priorities(_26=3), (0, 0, 0, 3, 0, 0, 0, 0))
    assert leaf.rows(Queues)["swp1"] == Scheduler((Queue(0, 40, limit=None), Queue(3, 60, limit=None)))
    assert leaf.rows(Pfc)["swp1"] == Pause(frozenset(paused))
    wanted = {"swp1": PortMarking((Marking(3, 1_000_000, 2_000_000, 5.0),))} if marked else {}
    assert {port: row for port, row in leaf.rows(Ecn).items() if port == "swp1"} == wanted


def test_what_auto_reckons_with_stands_in_the_class(small: Small) -> None:
    ecn = {"min": "auto", "max": "auto", "probability": "5%", "profile": "latency", "incast": 16, "flows": 4}
    found = small({"classes.rdma.ecn": ecn, "classes.rdma.traffic": ["gradients"]})
    rdma = named(found, "rdma")
    assert (rdma.profile, rdma.incast, rdma.flows, rdma.traffic) == ("latency", 16, 4, ("gradients",))
    assert found.origins["classes.rdma.profile"].reason == "written as classes.rdma.ecn.profile"
    assert found.origins["classes.default.flows"].reason == "not written: the class has no ECN"


def test_communicators_have_classes_of_their_own(small: Small) -> None:
    other = {"rdma": True, "dscp": 34, "priority": 4, "share": "0%"}
    found = small(
        {"classes.other": other, "jobs": {"nccl": {"class": "rdma", "communicators": {"parameters": "other"}}}}
    )
    assert isinstance(found.origins, Origins)
    blueprint = found.origins.blueprint
    classes = communicator_classes(blueprint.document.intent, blueprint.classes)
    assert {name: each.name for name, each in classes.items()} == {"parameters": "other"}


def test_pools_balance_and_bfd_are_as_written(small: Small) -> None:
    shared = quality_of(
        small(
            {
                "buffers": {
                    "lossy_alpha": 2,
                    "override": {"pool0": {"size": "32MiB", "xoff": "1MiB"}, "p1": {"size": "1MB"}},
                },
                "routing": {"bfd": True, "load_balance": "dlb"},
            }
        )
    )
    assert shared.pools == {"pool0": BufferPool(33_554_432, 1_048_576), "p1": BufferPool(1_000_000, ABSENT)}
    assert (shared.balance, shared.bfd) == (Balance("dlb"), True)
    assert shared.on(10 * 10**9, None).buffer == PortBuffer(ABSENT, ABSENT, 2.0)


def test_without_routing_and_overrides_there_is_no_opinion(small: Small) -> None:
    shared = quality_of(small({}))
    assert (shared.pools, shared.balance, shared.bfd) == ({}, None, ABSENT)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (
            "gpu01.queues.eth1",
            [
                "queues of the classes: 3 rdma 60%, 0 default 15%, 4 storage 25% (at the edge only to storage); ",
                "where an edge does not carry a class, default has its DSCPs and its share; ",
                "alike on all cabled ports of one host role",
            ],
        ),
        (
            "gpu01.pfc.eth1",
            [
                "priorities of lossless classes: 3 rdma, 4 storage (at the edge only to storage); ",
                "alike on all cabled ports of one host role",
            ],
        ),
        ("classes.storage.edge", ["written as classes.storage.edge"]),
        ("classes.rdma.edge", ["not written: all ports carry the class"]),
        ("classes.default.edge", ["all ports carry default: what no other class takes there is of it"]),
    ],
)
def test_why_edges_differ(small: Small, path: str, parts: list[str]) -> None:
    assert small(storage()).origins[path].reason == "".join(parts)

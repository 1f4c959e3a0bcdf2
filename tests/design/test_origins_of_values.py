"""Every value says why it is what it is, with its formula, and where in the file it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fabric.design.build import design
from fabric.design.model import Design
from fabric.intent.loader import load

INVENTORIES = Path(__file__).parents[2] / "inventories"
LINK = "/31 number 0 + 1 x 64 + 41 - 1 = 104 of 10.128.0.0/16 (leaf02, port 41)"
LEAF03 = (
    "loopback block 2 of 16 of 10.255.0.0/16 (role leaf is switch role 2 of the file), node 3: address 3 of the block"
)
Small = Callable[[Mapping[str, Any]], Design]


@pytest.fixture(scope="module")
def lab() -> Design:
    return design(load(INVENTORIES / "lab"))


@pytest.fixture(scope="module")
def pod16() -> Design:
    return design(load(INVENTORIES / "pod16"))


def values(found: Design) -> set[str]:
    return {
        f"{name}.{facet.name}.{key}"
        for name, node in found.network.nodes.items()
        for facet in node.settings
        for key in facet.rows
    }


@pytest.mark.parametrize("name", ["lab", "pod16"])
def test_every_value_has_an_origin_with_a_reason_and_a_place(name: str) -> None:
    found = design(load(INVENTORIES / name))
    assert values(found) <= set(found.origins)
    assert len(found.origins) == len(list(found.origins))
    for path, origin in found.origins.items():
        assert origin.reason, path
        assert origin.place is not None, path
        assert origin.place.file.endswith("fabric.yaml")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (
            "leaf03.addresses.lo 10.255.16.3/32",
            LEAF03,
        ),
        (
            "leaf03.bgp.network 10.255.16.3/32",
            LEAF03,
        ),
        (
            "leaf03.addresses.swp2 10.64.1.2/31",
            "/31 number 0 + 2 x 64 + 2 - 1 = 129 of 10.64.0.0/12 (leaf03, port 2); the leaf has the even address",
        ),
        (
            "gpu04.addresses.eth1 10.64.1.3/31",
            "/31 number 0 + 2 x 64 + 2 - 1 = 129 of 10.64.0.0/12 (leaf03, port 2); the host has the odd address",
        ),
        (
            "leaf02.links.swp34",
            "port 34 = 32 + 1 x 1 + 0 + 1, uplink to spine02; speed 10G of the cable, IP MTU of addressing.mtu",
        ),
        (
            "spine01.links.swp4",
            "port 4 = 0 + 3 x 1 + 0 + 1, downlink to leaf04; speed 10G of the cable, IP MTU of addressing.mtu",
        ),
        (
            "leaf03.links.swp2",
            (
                "port 2 = slot 1 + 1, NIC 1 of gpu04 (attach rail, 2 hosts to a group); speed 10G of the cable, "
                "IP MTU of addressing.mtu"
            ),
        ),
        (
            "leaf02.bgp.router",
            (
                "AS 65102 = 65101 + 1, one per device; router id = loopback 10.255.16.2; "
                "up to 64 equal paths, also by different AS numbers"
            ),
        ),
        (
            "spine02.bgp.router",
            (
                "AS 65000, one for the tier; router id = loopback 10.255.0.2; "
                "up to 64 equal paths, also by different AS numbers"
            ),
        ),
        (
            "leaf01.bgp.neighbor swp33",
            "session with spine01 on the unnumbered link: whoever answers with another AS number",
        ),
        (
            "gpu01.policy.from 10.64.0.129",
            "packets from NIC 2 leave by rail 2: table 100 + 2 = 102, preference 1000 + 2 = 1002",
        ),
        ("gpu01.routes.101 default", "table 100 + 1 = 101: what leaves by rail 1 only"),
        ("gpu01.routes.main 10.64.0.0/12", "one way out per NIC, 2 in all, by the leaf's address"),
        ("gpu01.nic.eth1", "nic_settings; traffic class 104 = 4 x DSCP 26 of class rdma; alike on all cabled ports"),
        ("leaf01.pfc.swp33", "priorities of lossless classes: 3 rdma; alike on all cabled ports"),
        (
            "leaf01.queues.swp33",
            "queues of the classes: 3 rdma 60%, 1 bulk 20%, 6 cnp strict, 0 default 20%; alike on all cabled ports",
        ),
        (
            "gpu01.maps.eth1",
            (
                "DSCP to priority to queue: rdma 26 to 3 to 3, bulk 10 to 1 to 1, cnp 48 to 6 to 6, "
                "default (61 DSCPs) to 0 to 0; alike on all cabled ports"
            ),
        ),
        (
            "gpu01.links.eth1",
            "NIC 1, named as soft-roce devices are; to leaf01:swp1; speed 10G of the cable, IP MTU of addressing.mtu",
        ),
        ("classes.rdma.queue", "not written: the priority, 3"),
        ("classes.rdma.kmin", "written as classes.rdma.ecn.min"),
        ("classes.bulk.kmin", "not written: the class has no ECN"),
        ("classes.default.dscps", "default holds the 61 of 64 DSCPs that no other class names"),
        ("classes.cnp.strict", "written as classes.cnp.strict"),
        ("classes.cnp.lossless", "not written: false"),
    ],
)
def test_the_lab_explains_itself(lab: Design, path: str, reason: str) -> None:
    assert lab.origins[path].reason == reason


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("leaf03.addresses.lo 10.255.16.3/32", "  loopbacks: 10.255.0.0/16"),
        ("leaf03.addresses.swp2 10.64.1.2/31", "  hosts: 10.64.0.0/12"),
        ("leaf02.links.swp34", "    - {from: leaf, to: spine, per_pair: 1, speed: 10G, length_m: 5}"),
        ("leaf01.watchdog.swp1", "  watchdog: {detect: 200ms, restore: 400ms, action: drop}"),
        ("classes.bulk.share", "  bulk: {traffic: [checkpoints], dscp: 10, priority: 1, share: 20%}"),
    ],
)
def test_the_place_is_the_line_that_the_value_comes_from(lab: Design, path: str, line: str) -> None:
    place = lab.origins[path].place
    assert place is not None
    assert (INVENTORIES / "lab" / "fabric.yaml").read_text().splitlines()[place.line - 1] == line


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (
            "leaf02.addresses.Ethernet320 10.128.0.209/31",
            f"{LINK}; the upper end has the even address",
        ),
        (
            "spine02.bgp.neighbor 10.128.0.209",
            (f"session with leaf02 by its address: {LINK}; the upper end has the even address"),
        ),
        (
            "leaf02.links.Ethernet328",
            "port 42 = 32 + 1 x 8 + 1 + 1, uplink to spine02; speed 400G of the cable, IP MTU of addressing.mtu",
        ),
        (
            "gpu01.links.nic1",
            (
                "NIC 1, a label: the device is read on the host; to leaf01:Ethernet0; speed 400G of the cable, "
                "IP MTU of addressing.mtu"
            ),
        ),
        (
            "classes.rdma.kmin",
            "classes.rdma.ecn.min is auto: computed for each kind of port, see `fabric show --class rdma --why`",
        ),
    ],
)
def test_the_pod_explains_itself(pod16: Design, path: str, reason: str) -> None:
    assert pod16.origins[path].reason == reason


@pytest.mark.parametrize(
    "path",
    [
        *("", "leaf01", "leaf01.links", "leaf01.links.swp99", "leaf99.links.swp1", "leaf01.nonsense.swp1"),
        *("classes.rdma", "classes.rdma.name", "classes.other.queue", "gpu01.bgp.router"),
    ],
)
def test_what_is_no_value_has_no_origin(lab: Design, path: str) -> None:
    assert path not in lab.origins
    with pytest.raises(KeyError):
        lab.origins[path]


def test_devices_named_in_the_intent_say_so(small: Small) -> None:
    found = small({"topology.hosts.gpu.interfaces": ["ens1np0", "ens2np0"]})
    reason = found.origins["gpu01.links.ens1np0"].reason
    assert reason.startswith("NIC 1, named in topology.hosts.gpu.interfaces; to leaf01:swp1")


def test_no_mark_is_said(small: Small) -> None:
    found = small({"classes.rdma.rdma": False, "nic_settings": {"rdma_mtu": 4096}})
    assert found.origins["gpu01.nic.eth1"].reason == (
        "nic_settings; no class gives RDMA traffic a mark; alike on all cabled ports"
    )


def test_no_classes_of_a_kind_are_said(small: Small) -> None:
    found = small({"classes.rdma.lossless": False})
    assert found.origins["gpu01.pfc.eth1"].reason == "priorities of lossless classes: none; alike on all cabled ports"

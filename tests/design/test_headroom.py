"""Headroom of ports, worked out by hand: what is computed, from what, where it stays open, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fabric.design.build import design
from fabric.design.headroom import Need, cells, certain, merchant, mlx5, needed, nvidia, occupancy, why_not
from fabric.design.model import Design
from fabric.hardware.asics import MerchantPause, NvidiaPause
from fabric.hardware.lookup import asic
from fabric.intent.loader import load
from fabric.settings.buffers import Buffers, PortBuffer
from fabric.settings.facet import ABSENT

TOMAHAWK_4 = asic("Tomahawk4")
INVENTORIES = Path(__file__).parents[2] / "inventories"
Small = Callable[[Mapping[str, Any]], Design]

TOMAHAWK = {
    "topology.switches.spine.system": "sonic",
    "topology.switches.leaf.system": "sonic",
    "topology.switches.spine.model": "as9736-64d",
    "topology.switches.leaf.model": "as9736-64d",
    "topology.hosts.gpu.nic": "connectx-7",
    "topology.cables.0": {"from": "leaf", "to": "spine", "speed": "400G", "length_m": 30},
}
AUTO = {"headroom": "auto"}
TO_HOSTS = {"from": "gpu", "to": "leaf", "speed": "400G", "length_m": 5}

STORE = {"count": 1, "nics": 1, "nic": "connectx-7", "attach": "leaf", "per_group": 1}
CABLES = [
    TOMAHAWK["topology.cables.0"],
    {**TO_HOSTS, "to_ports": "1-16"},
    {**TO_HOSTS, "from": "store", "to_ports": "17-18"},
]


@pytest.fixture(scope="module")
def pod16() -> Design:
    return design(load(INVENTORIES / "pod16"))


@pytest.fixture(scope="module")
def ai1024() -> Design:
    return design(load(INVENTORIES / "ai1024"))


@pytest.fixture
def made(small: Small) -> Callable[..., Design]:
    """A small fabric on Tomahawk 4 at 400G: 30 m between switches, 5 m to hosts."""

    def make(buffers: Mapping[str, str] | None = AUTO, **changes: Any) -> Design:
        cables = [TOMAHAWK["topology.cables.0"], TO_HOSTS]
        plain = {key: value for key, value in TOMAHAWK.items() if not key.startswith("topology.cables")}
        asked = {"buffers": buffers} if buffers else {}
        return small({**plain, "topology.cables": cables} | asked | changes)

    return make


def headrooms(found: Design, node: str) -> dict[str, Any]:
    return {port: row.headroom for port, row in found.network.nodes[node].settings.rows(Buffers).items()}


# Two frames of 9000 + 22 bytes and a pause frame of 84 bytes on the wire; the peer stops after 2 us (Tomahawk 4), or
# 2.08 us and 4200 bytes (Tomahawk 5), 5 ns/m; times 254/84 for small packets in cells, times 1.04, up to cells of 254:
#   Tomahawk 4, 400G,   5 m: 18128 +  50 x (2000 +   50) = 120628; x 3.0238 x 1.04 =  379346.3; 1494 cells
#   Tomahawk 4, 400G,  30 m: 18128 +  50 x (2000 +  300) = 133128; x 3.0238 x 1.04 =  418655.9; 1649 cells
#   Tomahawk 5, 400G,   5 m: 22328 +  50 x (2080 +   50) = 128828; x 3.0238 x 1.04 =  405133.4; 1596 cells
#   Tomahawk 5, 800G,  30 m: 22328 + 100 x (2080 +  300) = 260328; x 3.0238 x 1.04 =  818669.6; 3224 cells
#   Tomahawk 5, 800G, 100 m: 22328 + 100 x (2080 + 1000) = 330328; x 3.0238 x 1.04 = 1038802.9; 4090 cells
SHORT_400G, LONG_400G = 1494 * 254, 1649 * 254
EDGE_400G, SHORT_800G, LONG_800G = 1596 * 254, 3224 * 254, 4090 * 254


def test_the_pod_on_tomahawk_4_has_headroom_by_length(pod16: Design) -> None:
    leaf = pod16.network.nodes["leaf01"].settings.rows(Buffers)
    short, long = (PortBuffer(SHORT_400G, 0.125, length=5, mtu=9000), PortBuffer(LONG_400G, 0.125, length=30, mtu=9000))
    assert {leaf[f"Ethernet{8 * port}"] for port in range(16)} == {short}
    assert {leaf[f"Ethernet{8 * port}"] for port in range(32, 48)} == {long}
    assert set(pod16.network.nodes["spine02"].settings.rows(Buffers).values()) == {long}


def test_three_tiers_on_tomahawk_5_have_headroom_by_speed_and_length(ai1024: Design) -> None:
    found: dict[str, set[Any]] = {}
    for node in ai1024.network.nodes.values():
        found.setdefault(node.role, set()).update(row.headroom for row in node.settings.rows(Buffers).values())
    assert found == {
        "superspine": {LONG_800G},
        "spine": {LONG_800G, SHORT_800G},
        "leaf": {SHORT_800G, EDGE_400G},
        "gpu": set(),
    }


def test_ports_that_need_the_same_share_one_value(ai1024: Design) -> None:
    rows = [row for node in ai1024.network.nodes.values() for row in node.settings.rows(Buffers).values()]
    assert len(rows) > 20_000
    assert len({id(row) for row in rows}) == 3


def test_a_given_size_stays_and_one_port_may_ask_for_auto(made: Callable[..., Design]) -> None:
    found = made(buffers={"headroom": "500KB"}, nodes={"leaf01": {"ports": {"Ethernet0": {"headroom": "auto"}}}})
    assert headrooms(found, "leaf01")["Ethernet0"] == SHORT_400G
    assert {size for port, size in headrooms(found, "leaf01").items() if port != "Ethernet0"} == {500_000}
    assert set(headrooms(found, "leaf02").values()) == {500_000}


def test_a_port_that_asks_for_it_is_enough(made: Callable[..., Design]) -> None:
    found = made(buffers=None, nodes={"leaf01": {"ports": {"Ethernet0": {"headroom": "auto"}}}})
    assert headrooms(found, "leaf01") == {"Ethernet0": SHORT_400G}


def test_a_port_of_which_only_alpha_is_said_is_given_no_headroom(made: Callable[..., Design]) -> None:
    found = made(buffers=None, nodes={"leaf01": {"ports": {"Ethernet0": {"alpha": "1/4"}}}})
    assert headrooms(found, "leaf01") == {"Ethernet0": ABSENT}
    origin = found.origins["leaf01.buffers.Ethernet0"]
    assert origin.reason.startswith("no headroom is asked for; ")
    assert origin.place is not None


def test_the_mtu_of_a_port_counts(made: Callable[..., Design]) -> None:
    found = made(nodes={"leaf01": {"ports": {"Ethernet0": {"mtu": 4200}}}})
    # 2 x (4200 + 22) + 84 + 102500 = 111028; x 254/84 x 1.04 = 349156.6; 1375 cells
    assert headrooms(found, "leaf01")["Ethernet0"] == 1375 * 254


def test_a_port_that_pauses_nothing_has_none(made: Callable[..., Design]) -> None:
    found = made(**{"classes.rdma.edge": ["store"], "topology.hosts.store": STORE, "topology.cables": CABLES})
    assert headrooms(found, "leaf01")["Ethernet0"] is ABSENT
    assert headrooms(found, "leaf01")["Ethernet128"] == SHORT_400G
    said = found.origins["leaf01.buffers.Ethernet0"].reason
    assert said.startswith("buffers.headroom is auto: none, as no priority is paused here; ")


@pytest.mark.parametrize(
    ("model", "length", "reason"),
    [
        ("n9k-c9364d-gx2a", 30, "no constants are known for Cloud Scale"),
        ("generic-64", 30, "no switch chip is known for the model"),
        ("as9736-64d", None, "the cable has no length"),
    ],
)
def test_what_is_not_known_stays_open_and_says_why(
    made: Callable[..., Design], model: str, length: int | None, reason: str
) -> None:
    uplink = {"from": "leaf", "to": "spine", "speed": "400G"} | ({"length_m": length} if length else {})
    found = made(**{"topology.switches.spine.model": model, "topology.cables": [uplink, TO_HOSTS]})
    assert set(headrooms(found, "spine01").values()) == {ABSENT}
    path = next(path for path in found.origins if path.startswith("spine01.buffers."))
    assert found.origins[path].reason.startswith(f"buffers.headroom is auto: open, as {reason}; ")


def test_the_origin_has_the_formula_with_all_inputs_and_its_source(pod16: Design) -> None:
    origin = pod16.origins["leaf01.buffers.Ethernet0"]
    assert origin.reason.startswith(
        "buffers.headroom is auto: 379476 B = 1.04 margin x 254/84 cell waste x (2 x 9022 B frame of MTU 9000 + 84 B "
        "pause frame + 400G x (2 us until the peer stops + 2 x 5 m x 5 ns/m)), up to cells of 254 B "
        "(Tomahawk4: sonic-net/sonic-buildimage 086b03bd "
    )
    assert origin.place is not None
    assert origin.place.line == 42


def test_the_origin_of_a_given_size_is_where_it_is_written(made: Callable[..., Design]) -> None:
    found = made(buffers={"headroom": "500KB"}, nodes={"leaf*": {"ports": {"Ethernet0": {"headroom": "600KB"}}}})
    own, other = (found.origins[f"leaf01.buffers.{port}"].reason for port in ("Ethernet0", "Ethernet256"))
    assert own.startswith("headroom written as nodes.leaf*.ports.Ethernet0.headroom; ")
    assert other.startswith("headroom written as buffers.headroom; ")


def test_the_formula_of_nvidia_is_printed_with_its_assumptions(made: Callable[..., Design]) -> None:
    models = {f"topology.switches.{role}.model": "sn5600" for role in ("spine", "leaf")}
    found = made(**models)
    # 1024 + 3 x (9000 + 50 GB/s x (2 x 5 m / 198000 km/s + 120 ns) + 819.2 + 905 x 64) = 229817.4: 225 KiB
    assert headrooms(found, "leaf01")["Ethernet0"] == 225 * 1024
    assert found.origins["leaf01.buffers.Ethernet0"].reason.startswith(
        "buffers.headroom is auto: 230400 B = 1024 B lossless MTU + 3 cell occupancy x (9000 B MTU + 400G x 2 x 5 m / "
        "1.98e+08 m/s + 0.8 KiB MAC and PHY + 905 quanta of 64 B until the peer stops + 400G x 120 ns tile), up to KiB"
        "; occupancy of cells of 192 B with 100% small packets, counted by bytes; xon 19456 B, twice that on eight "
        "lanes (Spectrum-4: "
    )


def test_a_chip_that_is_not_known_has_no_answer_but_a_reason() -> None:
    assert needed(asic("Cloud Scale"), 10**11, 5, 9000) is None
    assert why_not("Cloud Scale", None, 5) == "no constants are known for Cloud Scale"
    assert needed(TOMAHAWK_4, 10**11, 0, 9000) is None
    assert why_not("Tomahawk4", TOMAHAWK_4, 0) == "the cable has no length"
    assert not why_not("Tomahawk4", TOMAHAWK_4, 5)


def test_the_two_bounds_of_a_port() -> None:
    # 9022 + 84 + 2500 in any case; (18128 + 102500) x 254/84 = 364756.1 by the formula; 4 % more, in cells
    assert needed(TOMAHAWK_4, 400 * 10**9, 5, 9000) == Need(least=11606, auto=SHORT_400G)


def test_a_slow_port_may_count_as_a_faster_one(made: Callable[..., Design]) -> None:
    # As at 25G, but for what certainly arrives: 9022 + 84 + 1.25 GB/s x 2 x 30 m x 5 ns/m = 9481 bytes
    slow, fast = (needed(TOMAHAWK_4, speed * 10**9, 30, 9000) for speed in (10, 25))
    assert slow is not None
    assert fast is not None
    assert (slow.auto, slow.least) == (fast.auto, 9481)
    found = made(**{"topology.cables": [{"from": "leaf", "to": "spine", "speed": "10G", "length_m": 30}, TO_HOSTS]})
    assert " + 25G, as which 10G counts, x (2 us " in found.origins["leaf01.buffers.Ethernet256"].reason


@pytest.mark.parametrize(
    ("gigabits", "by_length"),
    [
        (100, {5: 137, 40: 150, 100: 173, 300: 249}),
        (200, {5: 219, 40: 245, 100: 290, 300: 442}),
        (400, {5: 381, 40: 434, 100: 525, 300: 827}),
        (800, {5: 706, 40: 812, 100: 993, 300: 1598}),
    ],
)
def test_the_merchant_formula_for_frames_of_9216_bytes_in_kb(gigabits: int, by_length: Mapping[int, int]) -> None:
    pause = MerchantPause(waste=Fraction(254, 84), frames=2, response=2.1)
    found = {length: merchant(pause, gigabits * 10**9, length, 9216) / 1000 for length in by_length}
    assert {length: round(size) for length, size in found.items()} == by_length


def test_each_input_of_the_formula_of_nvidia_counts_as_its_revision_says() -> None:
    chip = asic("Spectrum-3")
    assert chip is not None
    assert isinstance(chip.pause, NvidiaPause)
    small = replace(chip.pause, small_packets=50)
    # Half of the packets: 64 of 544 bytes in the mean are small ones, each taking 144/64 = 2.25 of its size.
    assert occupancy(small, 144) == pytest.approx(1 + 64 / 544 * 1.25)
    assert occupancy(replace(small, weighing="packets"), 144) == pytest.approx(1.625)
    assert occupancy(replace(small, whole=True, weighing="packets"), 144) == pytest.approx(2)
    assert occupancy(replace(small, weighing="packets"), 96) == pytest.approx(1 + 0.5 * (192 / 97 - 1))
    # MSN4700 at 100G over 5 m: 1024 + 2.25 x (9216 + 631.3 + 819.2 + 3891.2) = 33778.9 bytes, 33 KiB
    fixed = replace(chip.pause, quanta={})
    assert nvidia(chip, fixed, 10**11, 5, 9216) == 33 * 1024
    # twice 400 ns of gearbox: 10000 bytes more on the wire, 22500 more in cells: 56278.9 bytes, 55 KiB
    assert nvidia(chip, replace(fixed, gearbox=400), 10**11, 5, 9216) == 55 * 1024


@pytest.mark.parametrize(("size", "whole"), [(1, 254), (254, 254), (254.1, 508), (507.9, 508)])
def test_sizes_are_rounded_up_to_cells(size: float, whole: int) -> None:
    assert cells(size, 254) == whole


def test_what_arrives_in_any_case_depends_on_no_chip() -> None:
    # 80 km at 400G: 50 GB/s x 2 x 80000 m x 5 ns/m = 40 MB, a frame of 9022 and a pause frame of 84 bytes
    assert certain(400 * 10**9, 80_000, 9000) == 40_009_106


@pytest.mark.parametrize(
    ("gigabits", "metres", "mtu", "size"),
    [
        (400, 7, 4200, 137_872),  # (301 + 2.16 x 7) x 400 + 2.72 x 4200
        (100, 7, 1500, 35_692),  # (301 + 15.12) x 100 + 4080
        (40, 7, 1500, 16_725),  # 316.12 x 40 + 4080 = 16724.8
        (10, 7, 1500, 16_725),  # as at 40G
    ],
)
def test_the_receive_buffer_of_a_nic_keeps_what_its_driver_computes(
    gigabits: int, metres: int, mtu: int, size: int
) -> None:
    assert mlx5(gigabits * 10**9, metres, mtu) == size

"""Constants of chips that the user gives: laid over the hardware data, refused where they make no formula, and told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fabric.design.chips import chip_of
from fabric.design.model import Design
from fabric.errors import DesignError, IntentError
from fabric.hardware.lookup import asic, switch
from fabric.settings.buffers import Buffers

Small = Callable[[Mapping[str, Any]], Design]
CLOUD = {"cell": "512B", "waste": "512/84", "frames": 2, "response": "2us"}
SPECTRUM = {
    "cell": "192B",
    "pipeline": "19KiB",
    "mac_phy": "0.8KiB",
    "response": "3.8KiB",
    "quanta": {"400G": 905},
    "lossless_mtu": 1024,
    "small_packets": "100%",
    "tile": "120ns",
}


@pytest.fixture
def made(small: Small) -> Callable[..., Design]:
    """A small fabric at 400G over 5 m under SONiC, with constants of the user's own."""

    def make(model: str, chips: Mapping[str, Any]) -> Design:
        return small(
            {
                "topology.switches.spine.system": "sonic",
                "topology.switches.leaf.system": "sonic",
                "topology.switches.spine.model": model,
                "topology.switches.leaf.model": model,
                "topology.hosts.gpu.nic": "connectx-7",
                "topology.cables": [
                    {"from": "leaf", "to": "spine", "speed": "400G", "length_m": 5},
                    {"from": "gpu", "to": "leaf", "speed": "400G", "length_m": 5},
                ],
                "buffers": {"headroom": "auto", "chips": chips},
            }
        )

    return make


def headroom(found: Design) -> Any:
    (row,) = set(found.network.nodes["leaf01"].settings.rows(Buffers).values())
    return row.headroom


# Tomahawk 4, 5 m: 18128 + 50 GB/s x (2000 + 50) ns = 120628 bytes on the wire; x 254/84 x 1.04, in cells: 379476.
@pytest.mark.parametrize(
    ("chips", "size"),
    [
        ({}, 379_476),
        ({"Tomahawk4": {"margin": "1"}}, 1437 * 254),  # 120628 x 254/84 = 364756.1
        ({"Tomahawk4": {"response": "3us"}}, 2113 * 254),  # 170628 x 254/84 x 1.04 = 536583.0
        ({"Tomahawk4": {"frames": 1}}, 1382 * 254),  # 111606 x 254/84 x 1.04 = 350974.2
        ({"Tomahawk4": {"extra": "1000B"}}, 1506 * 254),  # 121628 x 254/84 x 1.04 = 382491.1
        ({"Tomahawk4": {"delay": "10ns"}}, 1525 * 254),  # 123128 x 254/84 x 1.04 = 387208.2
        ({"Tomahawk4": {"waste": "2"}}, 988 * 254),  # 120628 x 2 x 1.04 = 250906.2
        ({"Tomahawk4": {"counts_as": {"400G": "800G"}}}, 2763 * 254),  # 223128 x 254/84 x 1.04 = 701688.2
        ({"Tomahawk4": {"cell": "508B"}}, 1494 * 508),  # waste grows with the cell: twice as much
        ({"as9736-64d": {"margin": "1"}}, 1437 * 254),  # said of the model
        ({"Tomahawk4": {"margin": "1.5"}, "as9736-64d": {"margin": "1"}}, 1437 * 254),  # the model before the chip
    ],
)
def test_each_constant_of_a_merchant_chip_can_be_given(made: Callable[..., Design], chips: Any, size: int) -> None:
    assert headroom(made("as9736-64d", chips)) == size


# Spectrum-4, 5 m: 1024 + 3 x (9000 + 2525.3 + 6000 + 819.2 + 57920) = 229817.4: 225 KiB.
@pytest.mark.parametrize(
    ("given", "kib"),
    [
        ({}, 225),
        ({"small_packets": "50%", "lossless_mtu": 4096}, 84),  # 4096 + 76264.5 x (1 + 2 x 64/2080) = 85053.6
        ({"small_packets": "50%", "weighing": "packets"}, 150),  # 1024 + 76264.5 x 2 = 153553.0
        ({"cell": "384B"}, 448),  # 1024 + 6 x 76264.5 = 458610.8
        ({"mac_phy": "1.8KiB"}, 228),  # 3 KiB more
        ({"quanta": {"400G": 1810}}, 395),  # 173760 bytes more
        ({"quanta": {}}, 67),  # 3.8 KiB instead of 57920 bytes: 1024 + 3 x 22235.7 = 67731.1
        ({"quanta": {}, "response": "9KiB"}, 82),  # 1024 + 3 x 27560.5 = 83705.5
        ({"tile": "0ns"}, 207),  # 18000 bytes less
        ({"gearbox": "400ns"}, 342),  # 3 x 2 x 400 ns x 50 GB/s = 120000 bytes more
        ({"velocity": "99000km/s"}, 232),  # 3 x 2525.3 bytes more
        ({"cell": "200B", "whole": True}, 299),  # 200/64 is 3.125, rounded up 4: 1024 + 4 x 76264.5 = 306082.0
    ],
)
def test_each_constant_of_an_nvidia_chip_can_be_given(
    made: Callable[..., Design], given: Mapping[str, Any], kib: int
) -> None:
    assert headroom(made("sn5600", {"Spectrum-4": given})) == kib * 1024


@pytest.mark.parametrize(
    ("model", "chips", "size"),
    [
        # 18128 + 102500 = 120628; x 512/84 = 735256.4, 1437 cells of 512; 5 ns a metre and no margin by default
        ("n9k-c9364d-gx2a", {"Cloud Scale": CLOUD}, 1437 * 512),
        ("n9k-c9364d-gx2a", {"n9k-c9364d-gx2a": CLOUD}, 1437 * 512),
        ("generic-64", {"generic-64": CLOUD}, 1437 * 512),
        ("generic-64", {"generic-64": SPECTRUM}, 225 * 1024),
    ],
)
def test_of_a_chip_that_is_not_known_all_constants_can_be_given(
    made: Callable[..., Design], model: str, chips: Any, size: int
) -> None:
    assert headroom(made(model, chips)) == size


def test_the_origin_says_which_constants_are_the_users_own(made: Callable[..., Design]) -> None:
    found = made("as9736-64d", {"Tomahawk4": {"response": "3us", "buffer": {"total": "64MB"}}})
    reason = found.origins["leaf01.buffers.Ethernet0"].reason
    assert " x (3 us until the peer stops + " in reason
    assert "(Tomahawk4: own constants: buffer, response; sonic-net/" in reason


def test_the_network_carries_the_constants_so_that_rules_reckon_with_them(made: Callable[..., Design]) -> None:
    network = made("as9736-64d", {"Tomahawk4": {"buffer": {"total": "64MB", "shared_headroom": "8MB"}}}).network
    chip = chip_of(switch("as9736-64d"), network.with_settings({}).chips)
    assert chip is not None
    assert chip.buffer is not None
    assert (chip.buffer.total, chip.buffer.pools, chip.buffer.shared_headroom) == (64_000_000, 64_000_000, 8_000_000)
    assert chip_of(switch("as9736-64d"), {}) is asic("Tomahawk4")
    assert chip_of(switch("linux"), network.chips) is None


@pytest.mark.parametrize(
    ("chips", "message", "hint"),
    [
        ({"tomahawk4": {"cell": "254B"}}, "there is no chip or switch model 'tomahawk4'", "did you mean Tomahawk4"),
        ({"none": CLOUD}, "there is no chip or switch model 'none'", "chips: Cloud Scale, "),
        ({"Tomahawk4": {"small_packets": "50%"}}, "the formula of Tomahawk4 has no constant small_packets", "waste"),
        ({"Tomahawk4": {"response": "3.8KiB"}}, "wanted in us, and 3.8 KiB is given", "2.25us"),
        ({"Spectrum-4": {"response": "2us"}}, "wanted in KiB, and 2 us is given", "3.8KiB"),
        ({"Cloud Scale": {**CLOUD, "frames": None}}, "and frames is not given", "cell, waste, frames, response"),
        ({"Cloud Scale": {**CLOUD, "cell": None}}, "and cell is not given", "cell, waste, frames, response"),
        ({"Cloud Scale": {"cell": "512B"}}, "those given belong to no formula", "lossless_mtu, small_packets (NVIDIA)"),
        ({"Cloud Scale": {**CLOUD, "tile": "9ns"}}, "those given belong to both formulas", "give all of one"),
    ],
)
def test_what_makes_no_formula_is_refused(
    made: Callable[..., Design], chips: Mapping[str, Mapping[str, Any]], message: str, hint: str
) -> None:
    given = {name: {key: value for key, value in rows.items() if value is not None} for name, rows in chips.items()}
    with pytest.raises(DesignError) as error:
        made("as9736-64d", given)
    (problem,) = error.value.problems
    assert message in problem.message
    assert hint in problem.hint


def test_all_that_is_wrong_with_chips_is_said_at_once(made: Callable[..., Design]) -> None:
    with pytest.raises(DesignError) as error:
        made("as9736-64d", {"tomahawk4": {"cell": "254B"}, "Cloud Scale": {"cell": "512B"}})
    assert len(error.value.problems) == 2


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("cell", "0B", "a size above 0 is wanted"),
        ("cell", 254, "a quantity with its unit is wanted"),
        ("waste", "1/2", "a factor from 1 to 64 is wanted"),
        ("waste", "1e9999999", "a factor from 1 to 64 is wanted"),
        ("waste", "254/0", "a factor from 1 to 64 is wanted"),
        ("response", "2s", "unknown unit s"),
        ("response", "3.8KB", "a quantity in KiB is wanted"),
        ("delay", "5ps", "unknown unit ps"),
        ("velocity", "198000", "a quantity with its unit is wanted"),
        ("velocity", "198000mph", "unknown unit mph"),
        ("quanta", {"400G": 0}, "at '400G': a number of pause quanta from 1 to 65535 is wanted"),
        ("quanta", {"400": 905}, "at '400': a quantity with its unit is wanted"),
        ("quanta", {"400G": 905, "0.4T": 906}, "400G is given twice"),
        ("quanta", 905, "a number of pause quanta per speed"),
        ("counts_as", {"10G": "0G"}, "a speed above 0 is wanted"),
        ("mac_phy", "800B", "a quantity in KiB is wanted"),
        ("small_packets", "101%", "a percentage from 0% to 100% is wanted"),
    ],
)
def test_a_value_that_no_constant_can_have_is_refused(
    made: Callable[..., Design], key: str, value: object, wanted: str
) -> None:
    with pytest.raises(IntentError) as error:
        made("as9736-64d", {"Tomahawk4": {key: value}})
    (problem,) = error.value.problems
    assert problem.message.startswith(f"buffers.chips.Tomahawk4.{key}: found ")
    assert wanted in f"{problem.message} {problem.hint}"

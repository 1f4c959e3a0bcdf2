"""The buffers of chips: what the data files say, and that none of it contradicts itself."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fabric.hardware.lookup import alpha_steps, asic, asics, switch

MEBI = 2**20


@pytest.mark.parametrize("file", asics())
def test_pools_headroom_and_what_a_port_may_take_lie_within_the_buffer(file: str) -> None:
    chip = asic(file)
    assert chip is not None
    assert chip.buffer is not None
    found = chip.buffer
    assert 0 < found.pools <= found.total
    assert found.shared_headroom < found.pools
    assert found.port_headroom < found.pools
    assert found.group < found.pools // 256
    assert found.whole or found.pools == found.total


@pytest.mark.parametrize(
    ("name", "megabytes"),
    [("Tomahawk2", 42), ("Tomahawk3", 64), ("Tomahawk4", 112), ("Tomahawk5", 165.2), ("Trident3", 32)],
)
def test_the_memory_of_a_chip_is_what_its_data_sheet_says_in_units_of_a_mebibyte(name: str, megabytes: float) -> None:
    chip = asic(name)
    assert chip is not None
    assert chip.buffer is not None
    assert chip.buffer.whole
    assert chip.buffer.total == int(megabytes * MEBI)
    assert chip.buffer.pools > 0.95 * chip.buffer.total


@pytest.mark.parametrize(("model", "whole"), [("7060dx5-32", "Tomahawk4"), ("7060x6-32pe", "Tomahawk5")])
def test_a_chip_of_half_the_capacity_has_half_the_buffer_and_the_same_constants(model: str, whole: str) -> None:
    half, full = asic(switch(model).asic), asic(whole)
    assert half is not None
    assert full is not None
    assert half.buffer is not None
    assert full.buffer is not None
    assert half.name != full.name
    assert (half.cell, half.pause) == (full.cell, full.pause)
    assert half.buffer.total == pytest.approx(full.buffer.pools / 2, rel=0.04)


@pytest.mark.parametrize(
    ("system", "least", "most"),
    [("sonic", 1 / 256, 128), ("eos", 1 / 64, 8), ("junos", 1 / 128, 8), ("cumulus", 1 / 128, 64)],
)
def test_the_thresholds_of_a_system_are_powers_of_two(system: str, least: float, most: float) -> None:
    steps = alpha_steps(system)
    assert steps is not None
    assert (steps[0], steps[-1]) == (least, most)
    assert all(later == 2 * earlier for earlier, later in pairwise(steps))


@pytest.mark.parametrize("system", ["nxos", "frr", "linux", "none"])
def test_the_thresholds_of_a_system_that_publishes_none_are_not_guessed(system: str) -> None:
    assert alpha_steps(system) is None

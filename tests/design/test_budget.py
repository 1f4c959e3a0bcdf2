"""The budget of a switch: what is set aside, what is left, and how many ports may be paused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.budget import Budget, budget
from fabric.hardware.asics import Asic, PacketBuffer
from fabric.hardware.lookup import asic
from fabric.settings.buffers import PortBuffer
from fabric.settings.pfc import Pause
from fabric.settings.pools import BufferPool

KNOWN = asic("Tomahawk5")
assert KNOWN is not None
CHIP: Asic = replace(KNOWN, buffer=PacketBuffer(total=1000, pools=900, group=1))
ONE, TWO, NONE = Pause(frozenset({3})), Pause(frozenset({3, 4})), Pause(frozenset())


def of(
    sizes: dict[str, int], pauses: dict[str, Pause], ratio: Fraction = Fraction(1), **pools: BufferPool
) -> Budget | None:
    return budget(CHIP, {port: PortBuffer(headroom=size) for port, size in sizes.items()}, pauses, pools, ratio)


def test_each_priority_of_each_port_has_its_headroom_and_what_it_has_to_itself() -> None:
    found = of({"a": 100, "b": 50, "c": 70}, {"a": TWO, "b": ONE, "c": NONE})
    assert found is not None
    assert (found.total, found.demand, found.kept, found.ports) == (1000, 250, 250, (200, 50))
    assert (found.reserved, found.outside) == (103, 100)
    assert found.shared == 1000 - 250 - 103
    assert found.paused_at_once == 2


def test_over_subscribed_headroom_is_rounded_up() -> None:
    found = of({"a": 100, "b": 100}, {"a": ONE, "b": ONE}, Fraction(3))
    assert found is not None
    assert (found.demand, found.kept, found.paused_at_once) == (200, 67, 0)


def test_the_headroom_of_a_pool_goes_before_the_ratio() -> None:
    found = of({"a": 100, "b": 100}, {"a": ONE, "b": ONE}, Fraction(3), ingress=BufferPool(500, 150))
    assert found is not None
    assert (found.kept, found.paused_at_once) == (150, 1)


def test_headroom_is_beside_the_size_of_a_pool_where_both_fit() -> None:
    found = of({"a": 100}, {"a": ONE}, ingress_lossless_pool=BufferPool(750, 150))
    assert found is not None
    assert found.shared == 750 - 1


def test_headroom_is_within_the_size_of_a_pool_where_both_do_not_fit() -> None:
    found = of({"a": 100}, {"a": ONE}, ingress_lossless_pool=BufferPool(751, 150))
    assert found is not None
    assert found.shared == 751 - 150 - 1


def test_pools_for_egress_and_for_lossy_traffic_are_none_of_lossless_traffic() -> None:
    pools = {
        "ingress_lossless_pool": BufferPool(400),
        "ingress_lossy_pool": BufferPool(300),
        "egress_lossless_pool": BufferPool(900),
    }
    found = of({"a": 100}, {"a": ONE}, **pools)
    assert found is not None
    assert (found.kept, found.shared) == (100, 400 - 100 - 1)


def test_pools_that_speak_only_of_egress_change_nothing() -> None:
    assert of({"a": 100}, {"a": ONE}, egress_lossless_pool=BufferPool(300)) == of({"a": 100}, {"a": ONE})


def test_a_pool_without_headroom_of_its_own_leaves_the_ratio() -> None:
    found = of({"a": 100}, {"a": ONE}, Fraction(2), ingress_lossless_pool=BufferPool(400, 0))
    assert found is not None
    assert found.kept == 50


def test_more_than_there_is_leaves_less_than_nothing() -> None:
    found = of({"a": 1000}, {"a": ONE})
    assert found is not None
    assert found.shared == 900 - 1000 - 1


def test_a_budget_with_a_headroom_that_is_open_is_not_known() -> None:
    assert of({"a": 100}, {"a": ONE, "b": ONE}) is None
    assert budget(CHIP, {"a": PortBuffer()}, {"a": ONE}, {}, Fraction(1)) is None


def test_a_budget_of_a_chip_whose_buffer_is_not_known_is_not_known() -> None:
    assert budget(replace(CHIP, buffer=None), {}, {}, {}, Fraction(1)) is None


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=64), st.integers(1, 64))
def test_any_ports_up_to_that_number_can_be_paused_at_once_and_one_more_may_not(sizes: list[int], ratio: int) -> None:
    ports = {str(number): size for number, size in enumerate(sizes)}
    found = of(ports, dict.fromkeys(ports, ONE), Fraction(ratio))
    assert found is not None
    largest = sorted(sizes, reverse=True)
    many = found.paused_at_once
    assert sum(largest[:many]) <= found.kept
    assert many == len(sizes) or sum(largest[: many + 1]) > found.kept
    assert ratio > 1 or many == len(sizes)


@pytest.mark.parametrize("ratio", [1, 2, 7])
def test_what_is_shared_reserved_and_set_aside_is_all_that_there_is(ratio: int) -> None:
    found = of({"a": 10, "b": 20}, {"a": TWO, "b": ONE}, Fraction(ratio))
    assert found is not None
    assert found.shared + found.kept + found.reserved == found.total

"""What DCQCN parameters of a NIC mean for the fluid model, and where the model ends."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from fabric.analysis.fluid import PAPER, fixed_point, marked_too_little, mlx5, nearly, pushes, queue
from fabric.analysis.fluid_stability import Bottleneck, phase_margin
from fabric.errors import DesignError
from fabric.hardware.dcqcn import drivers, parameters

GIGABIT = 10**9


def test_parameters_of_mlx5_stand_under_the_letters_of_the_paper():
    found = mlx5({"rpg_ai_rate": 40, "rpg_time_reset": 55, "rpg_threshold": 5, "rate_reduce_monitor_period": 50}, 1082)
    assert (found.r_ai, found.timer, found.steps, found.packet) == (40_000_000, 55e-6, 5, 1082)
    assert found.tau == 50e-6  # a cut waits for the monitor period, though CNPs come every 4 us
    assert (found.tau_alpha, found.g) == (1e-6, 5 / 1024)
    assert found.counter == 32_767_000


def test_a_longer_interval_of_cnps_spaces_cuts_as_well():
    assert mlx5({"min_time_between_cnps": 50}, 1000).tau == 50e-6


def test_defaults_lie_within_their_ranges():
    assert drivers() == ("mlx5",)
    for name, found in parameters("mlx5").named.items():
        assert found.least <= found.default <= found.largest(10 * GIGABIT), name


def test_the_largest_rate_is_that_of_the_port():
    assert parameters("mlx5").named["rpg_ai_rate"].largest(400 * GIGABIT) == 400_000
    assert parameters("mlx5").named["dce_tcp_g"].largest(400 * GIGABIT) == 1023


def test_an_unknown_driver_is_refused():
    with pytest.raises(DesignError, match="no DCQCN parameters are known of NIC driver 'bnxt'"):
        parameters("bnxt")


@pytest.mark.parametrize("flows", [1, 2, 16, 64, 512])
@pytest.mark.parametrize("sender", [PAPER, mlx5({}, 4178)], ids=["paper", "mlx5"])
def test_the_sign_at_a_share_tells_on_which_side_of_the_fixed_point_it_is(sender, flows):
    p = fixed_point(sender, 100 * GIGABIT, flows)
    assert marked_too_little(sender, 100 * GIGABIT, flows, 0.999 * p)
    assert not marked_too_little(sender, 100 * GIGABIT, flows, min(1.001 * p, 1))
    assert nearly(sender, 100 * GIGABIT, flows) == pytest.approx(p, rel=1.1e-6)


def test_more_flows_need_more_marks_and_a_larger_step_too():
    few, many = (fixed_point(PAPER, 40 * GIGABIT, flows) for flows in (4, 8))
    assert few < many
    assert fixed_point(replace(PAPER, r_ai=10_000_000), 40 * GIGABIT, 4) < few


def test_a_sender_without_a_counter_of_bytes_is_raised_by_its_timer_alone():
    found = pushes(replace(PAPER, counter=0), 1000.0, 0.0)
    assert found.raised == found.additive == 1 / (55e-6 * 1000.0)


def test_flows_too_slow_to_be_held_down_are_marked_throughout():
    # 100 flows in 100 Mbit/s send 125 packets a second each: a mark per 8 ms, and 145 raises in between.
    assert fixed_point(PAPER, 10**8, 100) == 1.0


def test_no_cut_is_smaller_than_half_of_g():
    # Rare CNPs: alpha averages 0.0006 where it is remembered for 0.2 ms, and yet each CNP adds g = 0.0049 to it.
    sender = mlx5({}, 4178)
    p = fixed_point(sender, 400 * GIGABIT, 8)
    rate = sender.packets(50 * GIGABIT)
    found = pushes(sender, rate, p)
    assert found.alpha < sender.g
    raises = sender.tau**2 * sender.packets(sender.r_ai) * rate * found.raised * found.additive
    assert found.cut**2 * sender.g == pytest.approx(raises, rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_all_parameters_within_their_ranges_have_a_fixed_point_and_a_margin(seed):
    draw = Random(seed)  # noqa: S311  (to draw cases, not secrets)
    speed = draw.choice([10, 100, 800]) * GIGABIT
    values = {
        name: draw.choice(
            [each.least, each.default, each.largest(speed), draw.randint(each.least, each.largest(speed))]
        )
        for name, each in parameters("mlx5").named.items()
    }
    sender, flows = mlx5(values, draw.choice([338, 4178])), draw.choice([1, 2, 64, 100_000])
    p = fixed_point(sender, speed, flows)
    assert 0 < p <= 1
    assert nearly(sender, speed, flows) == pytest.approx(p, rel=1.1e-6)
    assert phase_margin(sender, Bottleneck(speed, 10_000, 1_000_000, 1.0, 1e-5), flows) is not None


def test_equal_thresholds_have_a_queue_and_no_slope():
    assert queue(0.001, 100_000, 100_000, 0.01) == 100_000
    assert phase_margin(PAPER, Bottleneck(40 * GIGABIT, 100_000, 100_000, 0.01, 8e-6), 4) is None


def test_above_pmax_there_is_no_rest():
    assert queue(0.0101, 5_000, 200_000, 0.01) is None
    assert phase_margin(PAPER, Bottleneck(40 * GIGABIT, 5_000, 200_000, 0.01, 8e-6), 16) is None

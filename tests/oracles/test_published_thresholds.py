"""Thresholds and bounds against what others have published: papers, presets of vendors, files that SONiC ships.

Published settings of one speed lie two orders of magnitude apart, so profiles are held against the source that each
of them names, and formulas against tables that were computed elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabric.design.pausing import comes_late, most_senders, pauses_at
from fabric.design.profiles import PROFILES
from fabric.design.thresholds import Surroundings, Wanted, thresholds
from fabric.hardware.granularity import Granularity

GIGABIT = 10**9
PLAIN = Surroundings(
    speed=100 * GIGABIT,
    mtu=1500,
    trip=20_000,
    reaction=8000,
    lossless=True,
    alpha=None,
    shared=None,
    granularity=Granularity(),
    no_pool="nothing is known of the switch",
)


def of(profile, speed, trip):
    """Kmin, Kmax in KB and Pmax of a profile at a speed in Gbit/s and a round trip in µs."""
    made = thresholds(Wanted(PROFILES[profile], 8), replace(PLAIN, speed=speed * GIGABIT, trip=trip * 1000))
    return made.kmin / 1000, made.kmax / 1000, made.pmax


@pytest.mark.parametrize(
    ("profile", "speed", "trip", "published", "within"),
    [
        # Zhu et al., SIGCOMM 2015 (DCQCN), parameters of the deployment at 40G: Kmin 5 KB, Kmax 200 KB, Pmax 1 %
        pytest.param("paper", 40, 8, (5, 200, 1), 0, id="dcqcn-paper"),
        # NVIDIA, RoCE preset of Cumulus Linux and Onyx at every speed: 150000 and 1500000 bytes, 100 %
        pytest.param("nvidia-preset", 10, 8, (150, 1500, 100), 0, id="nvidia-10G"),
        pytest.param("nvidia-preset", 800, 8, (150, 1500, 100), 0, id="nvidia-800G"),
        # Huawei, static ECN for a round trip of 20 us, throughput first: 200 KB at 25G, 750 KB at 100G, both 10 %.
        # Its Kmin is 7 KB at every speed, which the profile does not follow: None.
        pytest.param("throughput", 100, 20, (None, 750, 10), 0, id="huawei-throughput-100G"),
        pytest.param("throughput", 25, 20, (None, 200, 10), 0.07, id="huawei-throughput-25G"),
        # The same, delay first: 150 KB at 25G, 500 KB at 100G, both 30 %
        pytest.param("latency", 100, 20, (None, 500, 30), 0, id="huawei-delay-100G"),
        pytest.param("latency", 25, 20, (None, 150, 30), 0.17, id="huawei-delay-25G"),
        # Li et al., SIGCOMM 2019 (HPCC), simulator in DCQCN mode: 100 KB and 400 KB at 25G, in proportion to the speed,
        # 20 %. Half a round trip is 100 KB at 64 us.
        pytest.param("balanced", 25, 64, (100, 400, 20), 0, id="hpcc-25G"),
        pytest.param("balanced", 100, 64, (400, 1600, 20), 0, id="hpcc-100G"),
        pytest.param("balanced", 400, 64, (1600, 6400, 20), 0, id="hpcc-400G"),
        # Alizadeh et al., SIGCOMM 2010 (DCTCP): K above C x RTT / 7: 35.7 KB at 100G and 20 us
        pytest.param("latency", 100, 20, (35.7, None, 30), 0.001, id="dctcp-window"),
    ],
)
def test_a_profile_gives_what_its_source_publishes(profile, speed, trip, published, within):
    for found, wanted in zip(of(profile, speed, trip), published, strict=True):
        if wanted is not None:
            assert found == pytest.approx(wanted, rel=within or 1e-6)


@pytest.mark.parametrize(
    ("alpha", "at_1", "at_8", "at_32"),
    [(1 / 8, 7.1, 32.0, 51.2), (1 / 4, 12.8, 42.7, 56.9), (1, 32.0, 56.9, 62.1)],
)
def test_pauses_begin_where_dynamic_limits_of_m_feeders_meet(alpha, at_1, at_8, at_32):
    """A pool of 64 MB, by filling it: each of m groups takes a little in turn until it is at its limit."""
    pool, step = 64_000_000, 1000
    for senders, published in ((1, at_1), (8, at_8), (32, at_32)):
        held = 0.0
        while held / senders < alpha * (pool - held):
            held += step * senders / 10
        assert held / 1e6 == pytest.approx(published, abs=0.06)
        assert float(pauses_at(alpha, pool, senders)) / 1e6 == pytest.approx(held / 1e6, rel=0.001)


@pytest.mark.parametrize(("speed", "megabytes"), [(100, 0.7), (400, 2.8), (800, 5.6)])
def test_eight_senders_add_seven_line_rates_until_they_react(speed, megabytes):
    assert float(comes_late(speed * GIGABIT, 8000, 8)) == pytest.approx(megabytes * 1e6)


@pytest.mark.parametrize(("shared", "kmin"), [(8, 0), (16, 0.1), (64, 1.6), (64, 7.2), (3, 0.5)])
def test_the_largest_incast_is_the_last_one_that_fits(shared, kmin):
    """By trying all of them, instead of solving for it: 400G, 8 us, alpha 1/8."""
    late = comes_late(400 * GIGABIT, 8000, 2)
    begins, pool = int(kmin * 1e6), shared * 1_000_000
    fits = [m for m in range(1, 400) if begins + (m - 1) * late <= pauses_at(0.125, pool, m)]
    assert most_senders(begins, late, 0.125, pool) == max(fits, default=0)


# Files that SONiC ships, sonic-buildimage 086b03bd, WRED_PROFILE of qos.json and qos_config.j2: green_min_threshold,
# green_max_threshold.
SONIC = {
    "files/build_templates/qos_config.j2": (1_048_576, 2_097_152),
    "Arista-7060X6 (Tomahawk 5)": (131_072, 262_144),
    "Arista-7260CX3 (Tomahawk 2)": (2_000_000, 10_000_000),
    "Arista-7060CX (Tomahawk 1), 7050SX3": (250_000, 2_097_152),
}


def test_what_ships_for_one_chip_is_two_orders_of_magnitude_apart_and_ours_lies_within():
    least, most = min(kmin for kmin, _ in SONIC.values()), max(kmax for _, kmax in SONIC.values())
    assert most / least > 50
    for profile in ("balanced", "throughput"):
        kmin, kmax, _ = of(profile, 400, 8)
        assert least / 1000 < kmin < kmax < most / 1000


@pytest.mark.parametrize(
    ("shipped", "alpha", "passes"),
    [
        pytest.param("Arista-7260CX3 (Tomahawk 2)", 1 / 8, False, id="ten-megabytes-with-an-eighth"),
        pytest.param("Arista-7260CX3 (Tomahawk 2)", 1 / 4, True, id="ten-megabytes-with-a-quarter"),
        pytest.param("files/build_templates/qos_config.j2", 1 / 8, True, id="two-mebibytes-with-an-eighth"),
    ],
)
def test_shipped_thresholds_act_before_pauses_where_64_megabytes_are_shared(shipped, alpha, passes):
    assert (SONIC[shipped][1] <= pauses_at(alpha, 64_000_000, 1)) is passes

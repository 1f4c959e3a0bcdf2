"""Thresholds that are auto: what they keep to whatever the port, and what makes them stay open."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from fabric.design.profiles import PFC_ONLY, PROFILES
from fabric.design.round_trip import reaction, round_trip
from fabric.design.thresholds import Surroundings, Wanted, thresholds
from fabric.hardware.granularity import Granularity
from fabric.rules.contract import Subjects
from fabric.rules.runner import rules, run_rules
from fabric.settings.ecn import Ecn
from fabric.settings.facet import Absent

GIGABIT = 10**9
MARKING = [name for name in PROFILES if name != PFC_ONLY]
PORT = Surroundings(
    speed=400 * GIGABIT,
    mtu=9000,
    trip=8000,
    reaction=8000,
    lossless=True,
    alpha=0.125,
    shared=64_000_000,
    granularity=Granularity(cell=254),
)
RULES = ("min-above-max", "after-pause", "incast", "static-threshold", "tiny", "beyond-buffer")

speeds = st.sampled_from([10, 25, 40, 50, 100, 200, 400, 800, 1600]).map(lambda found: found * GIGABIT)
alphas = st.one_of(st.none(), st.sampled_from([1 / 128, 1 / 16, 1 / 8, 1 / 4, 1 / 3, 0.3, 1.0, 8.0]))
pools = st.one_of(st.none(), st.integers(10_000, 300_000_000))


@st.composite
def ports(draw):
    """A port of any speed in any surroundings, under systems that take bytes, cells or percents."""
    alpha, shared = draw(alphas), draw(pools)
    held = 0 if alpha is None or shared is None else int(alpha * shared / (1 + alpha))
    unit = draw(st.sampled_from(["bytes", "segments", "percent"]))
    return Surroundings(
        speed=draw(speeds),
        mtu=draw(st.integers(1280, 9216)),
        trip=draw(st.one_of(st.none(), st.integers(2000, 200_000))),
        reaction=draw(st.integers(0, 60_000)),
        lossless=draw(st.booleans()),
        alpha=alpha,
        shared=shared,
        granularity=Granularity(unit, draw(st.sampled_from([1, 208, 254, 420])), held),
    )


@given(ports(), st.sampled_from(MARKING), st.integers(1, 200))
def test_computed_thresholds_keep_to_every_bound_or_stay_open_with_a_reason(port, profile, senders):
    """The inequalities in fractions, as they are published, and not as the program has them."""
    made = thresholds(Wanted(PROFILES[profile], senders), port)
    event(made.reason.partition(" ")[0] or "computed")
    if made.reason:
        assert (made.kmin, made.kmax) == (None, None)
        return
    assert 0 < made.kmin < made.kmax
    assert made.kmax >= 2 * port.mtu
    if port.shared is not None:
        assert made.kmax <= port.shared or (port.lossless and port.alpha is None)
    if port.alpha is None or port.shared is None:
        return
    alpha, pool = Fraction(port.alpha), port.shared
    assert made.kmax * (1 + alpha) <= alpha * pool
    if port.lossless and port.trip is not None:
        late = Fraction((senders - 1) * port.speed * (port.trip + port.reaction), 8 * 10**9)
        assert (made.kmin + late) * (1 + senders * alpha) <= senders * alpha * pool


@given(ports(), st.sampled_from(MARKING), st.integers(1, 200))
def test_computed_thresholds_have_a_ramp_and_can_be_set(port, profile, senders):
    made = thresholds(Wanted(PROFILES[profile], senders), port)
    if made.reason:
        return
    steps = port.granularity
    assert made.kmin >= port.mtu
    assert made.kmax - made.kmin >= 4 * port.mtu
    assert [steps.down(size) for size in (made.kmin, made.kmax)] == [made.kmin, made.kmax]
    assert made.lowered or made.kmin >= steps.down(PROFILES[profile].kmin.size(port.speed, port.bdp or Fraction(0)))


@given(ports(), st.sampled_from(MARKING), st.integers(1, 100))
def test_more_senders_never_raise_a_threshold(port, profile, senders):
    fewer, more = (thresholds(Wanted(PROFILES[profile], number), port) for number in (senders, senders + 1))
    # A larger incast is paused later, and yet adds more: with a large alpha the first may win for the first few.
    if not fewer.reason and not more.reason and not fewer.lowered:
        assert more.kmin <= fewer.kmin


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"trip": None, "no_trip": "cable X has no length"}, "cable X has no length", id="no-round-trip"),
        pytest.param({"shared": 1_000_000}, "8 senders are paused before they slow down", id="incast"),
        pytest.param({"shared": 300_000, "lossless": False}, "Kmin would be 0 B, less than a packet", id="small-pool"),
        pytest.param(
            {"granularity": Granularity("percent"), "no_pool": "no chip is known"}, "no chip is known", id="percent"
        ),
    ],
)
def test_what_cannot_be_computed_stays_open_and_says_why(change, reason):
    made = thresholds(Wanted(PROFILES["balanced"], 8), replace(PORT, **change))
    assert (made.kmin, made.kmax) == (None, None)
    assert reason in made.reason


def test_a_profile_of_sizes_needs_no_round_trip():
    made = thresholds(Wanted(PROFILES["nvidia-preset"], 8), replace(PORT, trip=None, granularity=Granularity()))
    assert (made.kmin, made.kmax, made.pmax, made.reason) == (150_000, 1_500_000, 100.0, "")


def test_what_is_written_stays_and_the_rest_fits_to_it():
    balanced = PROFILES["balanced"]
    only_max = thresholds(Wanted(balanced, 8, kmax=100_000), PORT)
    assert (only_max.kmin, only_max.kmax) == (99_822, 100_000)  # 393 cells of 254 bytes: not above what is written
    only_min = thresholds(Wanted(balanced, 8, kmin=1_000_000, pmax=7.0), PORT)
    assert (only_min.kmin, only_min.kmax, only_min.pmax) == (1_000_000, 1_036_066, 7.0)  # 4079 cells: four packets more


def test_a_pool_that_is_too_small_for_the_profile_lowers_it_and_says_so():
    made = thresholds(Wanted(PROFILES["throughput"], 2), replace(PORT, shared=9_000_000))
    # 9 MB / 9 = 1 MB for a single feeder; two feeders are paused at 9 MB x 0.25 / 1.25 = 1.8 MB, and 0.8 MB come late
    assert (made.kmin, made.kmax) == (399_796, 999_998)
    assert made.lowered == ("Kmax to 1000000 B, where a single feeder is paused or dropped",)


def test_percents_of_a_queue_are_rounded_down_and_written_as_such():
    # A queue may hold 64 MB / 9 = 7111111 bytes: a percent is 71111. Half of 400 KB is two of them, twice 400 KB is 11.
    steps = Granularity("percent", 254, 7_111_111)
    made = thresholds(Wanted(PROFILES["balanced"], 8), replace(PORT, granularity=steps))
    assert (made.kmin, made.kmax) == (142_222, 782_222)
    assert (steps.words(made.kmin), steps.words(made.kmax)) == ("2 percent", "11 percent")


CABLES = [
    {"from": "leaf", "to": "spine", "per_pair": 1, "speed": "400G", "length_m": 30},
    {"from": "gpu", "to": "leaf", "speed": "400G", "length_m": 5},
]
FIELD = {
    "topology.switches.leaf.system": "sonic",
    "topology.switches.leaf.model": "as9736-64d",
    "topology.switches.spine.system": "sonic",
    "topology.switches.spine.model": "as9736-64d",
    "topology.hosts.gpu.nic": "connectx-7",
    "topology.cables": CABLES,
    "buffers": {"headroom": "auto", "alpha": "1/8"},
    "classes.rdma.ecn": {"min": "auto", "max": "auto", "probability": "auto"},
}


def test_the_longest_path_of_a_class_makes_its_round_trip(small):
    """Three switches and 5 + 30 + 30 + 5 m: 2 x (2 x 600 + 3 x 800 + 70 x 5) ns."""
    assert round_trip(small(FIELD).network, 3) == 7900


def test_a_class_that_only_some_hosts_have_takes_their_paths_alone(small):
    far = {
        "topology.hosts.store": {"count": 2, "nics": 2, "nic": "connectx-7", "attach": "rail", "per_group": 4},
        "topology.cables": [*CABLES, {"from": "store", "to": "leaf", "speed": "400G", "length_m": 105}],
        "classes.rdma.edge": ["gpu"],
        "classes.disks": {
            "rdma": True,
            "dscp": 10,
            "priority": 4,
            "share": "0%",
            "ecn": {"min": "auto", "max": "auto", "probability": "auto"},
        },
    }
    network = small(FIELD | far).network
    assert (round_trip(network, 3), round_trip(network, 4)) == (7900, 9900)  # 105 + 30 + 30 + 105 m: 200 m x 10 ns more


def test_why_a_round_trip_is_not_known(small):
    bare = [{key: value for key, value in cable.items() if key != "length_m"} for cable in CABLES]
    unknown = round_trip(small(FIELD | {"topology.cables": bare}).network, 3)
    assert unknown.endswith("has no length")
    assert round_trip(small({}).network, 3) == "spine01 forwards in software, and how fast is not known"
    assert round_trip(small(FIELD).network, 5) == "no two hosts have the class"


def test_senders_react_as_their_nics_are_set(small):
    """The CNP that had to wait, and the cut that had to wait: 4 + 4 us as NVIDIA's NICs come."""
    assert reaction(small(FIELD).network) == 8000
    slow = {"nic_settings": {"mlx5": {"dcqcn": {"min_time_between_cnps": 50}}}}
    assert reaction(small(FIELD | slow).network) == 54_000


@st.composite
def changes(draw):
    """A fabric of any distance, buffer and system, in which everything is auto."""
    ecn = {"profile": draw(st.sampled_from(MARKING)), "incast": draw(st.integers(1, 60))}
    pool, length = draw(st.integers(2, 90)), draw(st.integers(1, 2000))
    return {
        "classes.rdma.ecn": {"min": "auto", "max": "auto", "probability": "auto"} | ecn,
        "buffers": {
            "alpha": draw(st.sampled_from(["1/64", "1/8", "1/3", "1", "8"])),
            "override": {"ingress_lossless_pool": {"size": f"{pool}MB", "xoff": "20MB"}},
        },
        "topology.cables": [cable | {"length_m": length} for cable in CABLES],
        "topology.switches.leaf.system": draw(st.sampled_from(["sonic", "eos", "junos"])),
        "addressing.mtu": draw(st.sampled_from([1500, 4200, 9000])),
    }


@given(changes())
@settings(max_examples=40, deadline=None)  # each example builds a fabric
def test_rules_have_nothing_to_say_of_thresholds_that_are_computed(small, change):
    found = small(FIELD | change)
    said = run_rules([rule for rule in rules() if rule.id in {f"ecn.{name}" for name in RULES}], Subjects(None, found))
    queues = {
        (node.name, row)
        for node in found.network.nodes.values()
        for marks in node.settings.rows(Ecn).values()
        for row in marks.queues
    }
    still = {name for name, row in queues if isinstance(row.kmin, Absent)}
    event("open" if still else "computed")
    # Where nothing can be computed, the incast itself is too large, and that is said.
    assert {(each.rule, each.path.partition(".")[0]) for each in said} <= {("ecn.incast", name) for name in still}

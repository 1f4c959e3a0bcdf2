"""Steps of thresholds: what can be set is never above what is wanted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.hardware.granularity import Granularity
from fabric.hardware.lookup import threshold_unit

steps = st.builds(
    Granularity,
    st.sampled_from(["bytes", "segments", "percent"]),
    st.sampled_from([1, 192, 208, 254, 420]),
    st.integers(1, 100_000_000),
)


@given(steps, st.integers(0, 10_000_000))
def test_a_size_lies_between_the_two_steps_around_it(granularity, size):
    assert granularity.down(size) <= size <= granularity.up(size) or granularity.unit == "percent"
    assert granularity.down(granularity.down(size)) == granularity.down(size)
    assert granularity.down(size) <= size


@given(st.integers(100, 100_000_000), st.integers(0, 100))
def test_a_whole_percent_of_a_queue_is_that_percent(queue, percent):
    granularity = Granularity("percent", 254, queue)
    assert granularity.percent(percent * queue // 100) == percent


@pytest.mark.parametrize(
    ("granularity", "size", "said"),
    [
        (Granularity("bytes", 254), 999_998, "999998 B"),
        (Granularity("segments", 254), 999_998, "3937 segments"),
        (Granularity("segments"), 999_998, "999998 B"),
        (Granularity("percent", 254, 1_000_000), 40_000, "4 percent"),
        (Granularity("percent"), 40_000, "no percent, as the buffer of the queue is not known"),
    ],
)
def test_a_threshold_is_said_as_its_system_writes_it(granularity, size, said):
    assert granularity.words(size) == said


def test_systems_have_units_and_others_take_bytes():
    assert {system: threshold_unit(system) for system in ("sonic", "cumulus", "nxos", "eos", "junos", "srlinux")} == {
        "sonic": "bytes",
        "cumulus": "bytes",
        "nxos": "bytes",
        "eos": "segments",
        "junos": "percent",
        "srlinux": "bytes",
    }

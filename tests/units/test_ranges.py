"""Ranges say exactly which names they stand for."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.ranges import addresses, numbers, ranges, runs_of


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        (["leaf01"], "leaf01"),
        (["leaf01", "leaf02"], "leaf01, leaf02"),
        (["leaf03", "leaf01", "leaf02"], "leaf01 .. leaf03 (3)"),
        (["leaf01", "leaf02", "leaf03", "leaf07"], "leaf01 .. leaf03 (3), leaf07"),
        (["leaf98", "leaf99", "leaf100"], "leaf98 .. leaf100 (3)"),
        (["leaf9", "leaf10", "leaf011"], "leaf9, leaf10, leaf011"),
        (["tor-a", "tor-b"], "tor-a, tor-b"),
        (["leaf01", "spine01", "leaf02", "leaf03"], "leaf01 .. leaf03 (3), spine01"),
        (["leaf01:swp1", "leaf01:swp2", "leaf01:swp3"], "leaf01:swp1 .. leaf01:swp3 (3)"),
        ([f"p{p}-leaf{n:02}" for p, n in product(range(1, 9), range(1, 17))], "p1-leaf01 .. p8-leaf16 (128)"),
        (["p1-leaf01", "p2-leaf01"], "p1-leaf01, p2-leaf01"),
        (["p1-leaf01", "p1-leaf02", "p2-leaf01"], "p1-leaf01, p1-leaf02, p2-leaf01"),
        (["leaf01", "leaf09", "leaf17"], "leaf01 .. leaf17 (3, every 8th)"),
        (["leaf01", "leaf03", "leaf05", "leaf06", "leaf08"], "leaf01, leaf03, leaf05, leaf06, leaf08"),
        (["a1", "a4", "a7", "b2"], "a1 .. a7 (3, every 3rd), b2"),
        (["p1-a3", "p1-a4", "p2-a3", "p2-a4"], "p1-a3 .. p2-a4 (4)"),
    ],
)
def test_names_become_runs(names, said):
    assert ranges(names) == said


def test_what_is_too_much_is_counted():
    assert ranges(["a1", "a2", "a3", "b", "c", "d1", "d2", "d3"], most=2) == "a1 .. a3 (3), b and 4 more"


NAMES = st.lists(st.from_regex(r"\A(p[1-9]-)?(leaf|gpu)(0?[0-9]|1[0-2])\Z"), unique=True)


def spelled(said: str) -> list[str]:
    """Write ranges out again, by going through every number between the two ends."""
    found = []
    for part in filter(None, said.replace(", every", "; every").split(", ")):
        first, _, rest = part.partition(" .. ")
        last, _, size = rest.partition(" (")
        ends = [re.split(r"(\d+)", name) for name in (first, last or first)]
        size, _, steps = size.rstrip(")").partition("; every ")
        step = int(steps[:-2]) if steps else 1
        turns = [
            [a] if a == b else [str(n).zfill(len(a)) for n in range(int(a), int(b) + 1, step)]
            for a, b in zip(*ends, strict=True)
        ]
        names = ["".join(each) for each in product(*turns)]
        assert not size or len(names) == int(size)
        found += names
    return found


@given(NAMES)
def test_every_name_and_no_other_can_be_read_from_a_range(names):
    assert sorted(spelled(ranges(names))) == sorted(names)


def test_numbers_and_addresses_are_spans_and_gaps_are_counted():
    assert numbers([]) == ""
    assert numbers([7]) == "7"
    assert numbers([3, 1, 2]) == "1 .. 3"
    assert numbers([1, 5]) == "1, 5"
    assert numbers([1, 2, 65, 66]) == "1 .. 66 (4)"
    assert addresses(["10.0.0.2", "10.0.0.1", "fd00::1", "fd00::2"]) == "10.0.0.1 .. 10.0.0.2, fd00::1 .. fd00::2"
    assert addresses(["10.0.0.1/32", "10.0.0.3/32"]) == "10.0.0.1/32, 10.0.0.3/32"
    assert addresses(["10.0.0.0/31", "10.0.0.2/31", "10.0.0.4/31"]) == "10.0.0.0/31 .. 10.0.0.4/31 (3)"
    assert addresses(["10.0.0.255", "10.0.1.0", "10.0.1.1"]) == "10.0.0.255 .. 10.0.1.1"
    assert addresses(["10.0.0.1", "10.0.0.9", "10.0.0.10"]) == "10.0.0.1 .. 10.0.0.10 (3)"


def test_runs_of_numbers_are_written_in_full():
    assert runs_of([5, 2, 0, 1]) == "0-2 5"

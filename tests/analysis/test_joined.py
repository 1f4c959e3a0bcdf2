"""What pairs join, directly or in turns, has one name that stands for it."""

from __future__ import annotations

from fabric.analysis.joined import joined


def parts(pairs):
    found = {}
    for name, first in joined(pairs).items():
        found.setdefault(first, set()).add(name)
    return sorted(map(sorted, found.values()))


def test_things_that_are_joined_in_turns_are_one_part():
    assert parts([("a", "b"), ("c", "d"), ("e", "f"), ("d", "b")]) == [["a", "b", "c", "d"], ["e", "f"]]


def test_a_name_beside_itself_is_a_part_of_its_own():
    assert parts([("a", "a"), ("b", "c")]) == [["a"], ["b", "c"]]


def test_each_part_is_named_by_one_of_its_own():
    found = joined([("c", "d"), ("a", "b"), ("b", "c"), ("e", "e")])
    assert len({found[name] for name in "abcd"}) == 1
    assert found["a"] in "abcd"
    assert found["e"] == "e"

"""What has one cause in the file is said once, with how many more and where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabric.places import Place
from fabric.results import Finding, Severity
from fabric.rules.grouping import grouped
from fabric.rules.runner import run

FIRST = Finding("a.rule", Severity.ERROR, "leaf01.links", "it is wrong", "3", "2", "mend it", Place("f.yaml", 1, 2))


def at(path, **changes):
    return replace(FIRST, path=path, **changes)


def test_findings_with_one_cause_become_the_first_of_them():
    more = [at(f"leaf{number:02d}.links", measured=str(number)) for number in range(2, 8)]
    (found,) = grouped([FIRST, *more])
    assert found.message == ("it is wrong; likewise 6 more: leaf02.links, leaf03.links, leaf04.links, leaf05.links ...")
    assert found.also == tuple(each.path for each in more)
    assert replace(found, message=FIRST.message, also=(), identity="") == FIRST


def test_a_single_finding_stays_as_it_is():
    assert grouped([FIRST]) == (FIRST,)


def test_findings_about_one_object_are_counted_and_it_is_not_named_again():
    (found,) = grouped([FIRST, FIRST, FIRST])
    assert (found.message, found.also) == ("it is wrong; likewise 2 more", ())


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"rule": "b.rule"}, id="rule"),
        pytest.param({"severity": Severity.WARNING}, id="severity"),
        pytest.param({"place": Place("f.yaml", 2, 2)}, id="place"),
        pytest.param({"bound": "1"}, id="bound"),
        pytest.param({"fix": "mend that"}, id="fix"),
    ],
)
def test_another_cause_is_another_finding(other):
    assert grouped([FIRST, at("leaf02.links", **other)]) == (FIRST, at("leaf02.links", **other))


def test_texts_that_differ_in_the_names_of_their_objects_alone_have_one_cause():
    def of(node, port, end="{}:{}"):
        said = end.format(node, port)
        return at(f"{node}.links.{port}", fix=f"set the MTU of {said} to 9000", bound=f"9000 as on {node}")

    (found,) = grouped([of("leaf01", "swp1"), of("tor-a.rack-7", "Ethernet33/1"), of("leaf01", "swp2")])
    assert (found.fix, found.bound) == ("set the MTU of leaf01:swp1 to 9000", "9000 as on leaf01")
    assert found.also == ("tor-a.rack-7.links.Ethernet33/1", "leaf01.links.swp2")
    other = replace(of("leaf02", "swp1"), fix="set the MTU of leaf02:swp1 to 1500")
    assert len(grouped([of("leaf01", "swp1"), other])) == 2


def test_a_node_or_a_key_of_the_file_is_no_row():
    first, second = at("leaf01", fix="rename leaf01"), at("leaf02", fix="rename leaf02")
    assert grouped([first, second]) == (first, second)


def test_one_wrong_value_of_the_file_is_one_finding(subjects_of):
    subjects = subjects_of({"intent": {"topology": {"hosts": {"gpu": {"count": 3, "per_group": 3}}}}})
    found = run(subjects, select=["topology.oversubscription"])
    assert [(each.rule, each.path, each.also) for each in found] == [
        ("topology.oversubscription", "leaf01.links", ("leaf02.links",))
    ]

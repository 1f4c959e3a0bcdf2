"""Checks are found by their places, see their own echoes, and never take one another down."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from fabric.checks.contract import SECTIONS, Check
from fabric.checks.outcomes import passed
from fabric.checks.runner import check_of, checks, page, run
from fabric.errors import UsageError
from fabric.platforms.contract import Ping, Pong
from fabric.results import CheckResult, Status

PAGE = "A check.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)


def check(runs, name="group.check", stimulus=None):
    return Check(name, PAGE, (), 1, stimulus, runs)


def module(**members):
    made = ModuleType("fabric.checks.group.some_check", members.pop("doc", PAGE))
    vars(made).update(members)
    return made


WHOLE = {"FACETS": (), "SAMPLES": 1, "check": lambda seen: [seen]}


def test_the_id_of_a_check_is_its_place():
    found = check_of(module(**WHOLE))
    assert (found.id, found.samples, found.stimulus) == ("group.some-check", 1, None)
    for each in checks():
        assert each.run is sys.modules[f"fabric.checks.{each.id}".replace("-", "_")].check


@pytest.mark.parametrize(
    ("members", "lacks"),
    [
        pytest.param({"doc": "A check."}, "no section 'Skips' in its docstring", id="section"),
        pytest.param({"doc": None}, "no section 'What it does' in its docstring", id="docstring"),
        pytest.param({"FACETS": None}, "no FACETS", id="facets"),
        pytest.param({"SAMPLES": 3}, "no SAMPLES of 1 or 2", id="samples"),
        pytest.param({"check": None}, "no function check", id="check"),
    ],
)
def test_a_module_that_is_no_check_says_what_it_lacks(members, lacks):
    with pytest.raises(TypeError, match=r"some_check is not a check: ") as caught:
        check_of(module(**(WHOLE | members)))
    assert lacks in str(caught.value)


def test_the_first_seven_checks_are_there():
    assert {each.id for each in checks()} >= {
        "cabling.lldp",
        "links.mtu-path",
        "links.up",
        "management.reachable",
        "queues.class-counters",
        "routing.bgp-sessions",
        "routing.ecmp-width",
    }
    assert [each.id for each in checks()] == sorted(each.id for each in checks())


def test_a_page_has_the_id_and_the_docstring():
    text = page("cabling.lldp")
    assert text.startswith("cabling.lldp (check)\n\nEvery cable ends where the design says.\n\nWhat it does\n")
    assert text.endswith("Since\n    0.1\n")


def test_a_page_of_an_unknown_check_names_the_nearest_or_all():
    with pytest.raises(UsageError, match=r"no check 'cabling.lldpd'") as near:
        page("cabling.lldpd")
    assert near.value.hint == "did you mean cabling.lldp?"
    with pytest.raises(UsageError) as far:
        page("qqq")
    assert far.value.hint.startswith("checks: cabling.lldp, ")


def test_a_broken_check_becomes_an_error_and_the_others_run_on(seen_of):
    def broken(seen):
        yield passed("leaf01", "lost with the rest")
        raise KeyError(seen.design.fabric)

    def sound(seen):
        yield passed(seen.design.fabric, "seen")

    seen = seen_of(check(sound), {})
    *errors, last = run([check(broken, "a.broken"), check(sound, "b.sound")], seen)
    assert {(each.check, each.status) for each in errors} == {("a.broken", Status.ERROR)}
    assert [each.at for each in errors] == ["spine01", "spine02", "leaf01", "leaf02", "gpu01", "gpu02"]
    assert "the check itself is broken (KeyError: 'small')" in errors[0].message
    assert last == CheckResult("b.sound", "small", Status.PASS, "seen")


def test_a_broken_stimulus_is_a_broken_check(seen_of):
    def stimulus(design):
        raise ValueError(design.fabric)

    sound = check(lambda seen: [passed(seen.design.fabric, "seen")])
    results = run([replace(sound, stimulus=stimulus)], seen_of(sound, {"not_asked": ["gpu02"]}))
    assert [result.status for result in results] == [Status.ERROR] * 5


def test_a_check_sees_only_the_echoes_of_its_own_pings(seen_of):
    own = Ping("gpu01", "10.64.0.1", "10.64.0.129", size=100)
    foreign = replace(own, size=9000)
    views = []
    curious = check(lambda seen: views.append(seen.pongs) or (), stimulus=lambda design: (own,) if design else ())
    seen = replace(seen_of(check(None), {}), pongs=(Pong(foreign, 1, 1), Pong(own, 1, 0)))
    run([curious, replace(curious, stimulus=None)], seen)
    assert views == [(Pong(own, 1, 0),), ()]


def test_every_stimulus_is_bounded_and_starts_at_hosts(seen_of):
    for each in checks():
        design = seen_of(
            each, {"intent": {"topology": {"hosts": {"gpu": {"count": 4, "nics": 1, "per_group": 2}}}}}
        ).design
        pings = each.stimulus(design) if each.stimulus else ()
        assert len(set(pings)) == len(pings)
        assert all(design.network.nodes[ping.node].kind == "host" for ping in pings)
        assert all(ping.size <= design.mtu and ping.count <= 20 for ping in pings)


def test_class_packets_carry_the_mark_of_their_class(seen_of):
    (counters,) = [each for each in checks() if each.id == "queues.class-counters"]
    pings = counters.stimulus(seen_of(counters, {}).design)
    assert [(ping.node, ping.dscp, ping.count) for ping in pings] == [
        ("gpu01", 26, 20),
        ("gpu02", 26, 20),
        ("gpu01", 48, 20),
        ("gpu02", 48, 20),
        ("gpu01", 0, 20),
        ("gpu02", 0, 20),
    ]

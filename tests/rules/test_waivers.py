"""What the user accepts stops nothing; what certainly loses packets is not accepted."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from fabric.intent.sections.tenants import WaiverIntent
from fabric.results import Finding, Severity, Verification
from fabric.rules.contract import SECTIONS, Rule
from fabric.rules.grouping import grouped
from fabric.rules.runner import rules, run, run_rules
from fabric.rules.waiving import waived

TODAY = date(2026, 7, 1)
PAGE = "A rule.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)
HARMLESS = Rule("a.slow", PAGE, Severity.ERROR, ("network",), list)
CERTAIN = replace(HARMLESS, id="a.loss", certain_loss=True)
FOUND = Finding("a.slow", Severity.ERROR, "leaf01.links", "it is wrong", "3", "2", "mend it")
WAIVER = WaiverIntent(rule="a.slow", at="leaf*", reason="we know")


def judged(finding, *waivers, today=TODAY):
    (found,) = waived([finding], waivers, [HARMLESS, CERTAIN], today)
    return found


@pytest.mark.parametrize("at", ["leaf01.links", "leaf01.*", "leaf*", "*", "leaf0?.links"])
def test_a_waiver_names_the_place_by_its_path_or_a_pattern(at):
    found = judged(FOUND, WAIVER.model_copy(update={"at": at}))
    assert (found.waived, found.until, found.stops) == ("we know", None, False)
    assert replace(found, waived="") == FOUND


@pytest.mark.parametrize("at", ["leaf01", "leaf02.*", "LEAF01.links", "links", "leaf01.links.swp1"])
def test_another_place_is_not_covered(at):
    assert judged(FOUND, WAIVER.model_copy(update={"at": at})) == FOUND


@pytest.mark.parametrize("rule", ["a.slow", "a.*", "*"])
def test_a_waiver_names_the_rule_by_its_id_or_a_pattern(rule):
    assert judged(FOUND, WAIVER.model_copy(update={"rule": rule})).waived


def test_another_rule_is_not_covered():
    assert judged(FOUND, WAIVER.model_copy(update={"rule": "a.slower"})) == FOUND


@pytest.mark.parametrize(
    ("until", "today", "covered"),
    [
        (date(2026, 7, 1), TODAY, True),
        (date(2026, 6, 30), TODAY, False),
        (date(2026, 6, 30), None, True),
        (None, TODAY, True),
    ],
    ids=["last-day", "day-after", "no-clock", "no-end"],
)
def test_a_waiver_covers_up_to_its_last_day(until, today, covered):
    found = judged(FOUND, WAIVER.model_copy(update={"until": until}), today=today)
    assert bool(found.waived) is covered
    assert found.until == (until if covered else None)


def test_the_first_waiver_that_still_holds_gives_the_reason():
    ended = WAIVER.model_copy(update={"until": date(2020, 1, 1), "reason": "long ago"})
    later = WAIVER.model_copy(update={"reason": "later"})
    assert judged(FOUND, ended, WAIVER, later).waived == "we know"


def test_an_error_of_certain_loss_is_never_covered_but_its_warnings_are():
    everything = WAIVER.model_copy(update={"rule": "*", "at": "*"})
    assert judged(replace(FOUND, rule="a.loss"), everything).stops
    assert judged(replace(FOUND, rule="a.loss", severity=Severity.WARNING), everything).waived


def test_a_broken_rule_is_not_covered():
    assert judged(replace(FOUND, path=""), WAIVER.model_copy(update={"rule": "*", "at": "*"})).stops


def test_one_place_of_several_that_a_finding_has_is_enough():
    assert judged(replace(FOUND, path="spine01.links", also=("leaf01.links",)), WAIVER).waived


def test_what_is_waived_and_what_is_not_are_not_grouped():
    other = replace(FOUND, path="leaf02.links")
    third = replace(FOUND, path="leaf03.links")
    found = grouped(waived([FOUND, other, third], [WAIVER.model_copy(update={"at": "leaf02.*"})], [HARMLESS], TODAY))
    assert [(each.path, each.also, each.waived) for each in found] == [
        ("leaf01.links", ("leaf03.links",), ""),
        ("leaf02.links", (), "we know"),
    ]


def test_the_exit_of_verify_is_not_decided_by_what_is_waived():
    assert Verification("f", (), (FOUND,)).failed(strict=False)
    assert not Verification("f", (), (replace(FOUND, waived="we know"),)).failed(strict=True)


SHARED = {"topology": {"switches": {"leaf": {"asn": {"per": "tier"}}}}}


MEANT = ("topology.oversubscription", "routing.shared-as", "waivers.*")


def said(subjects_of, *waivers, **patch):
    subjects = replace(subjects_of({"intent": {**patch, "waivers": list(waivers)}}), today=TODAY)
    return [(each.rule, each.path, each.also, each.waived) for each in run(subjects, select=MEANT)]


def test_the_waivers_of_a_file_split_a_finding_of_which_they_cover_a_part(subjects_of):
    three = {"topology": {"hosts": {"gpu": {"count": 3, "per_group": 3}}}}
    waiver = {"rule": "topology.oversubscription", "at": "leaf02.*", "reason": "old building", "until": "2027-01-31"}
    assert said(subjects_of, waiver, **three) == [
        ("topology.oversubscription", "leaf01.links", (), ""),
        ("topology.oversubscription", "leaf02.links", (), "old building"),
    ]


def test_what_is_waived_comes_last_even_when_it_is_an_error(subjects_of):
    waiver = {"rule": "routing.shared-as", "at": "*", "reason": "allowas-in is set by hand"}
    found = said(subjects_of, waiver, **SHARED)
    assert found[0][0] == "waivers.no-end"
    assert [(rule, why) for rule, _, _, why in found[1:]] == [("routing.shared-as", "allowas-in is set by hand")]


def test_a_waiver_that_has_ended_covers_nothing_and_is_said(subjects_of):
    waiver = {"rule": "routing.shared-as", "at": "*", "reason": "for a while", "until": "2026-06-30"}
    found = said(subjects_of, waiver, **SHARED)
    assert [(rule, why) for rule, _, _, why in found] == [("routing.shared-as", ""), ("waivers.expired", "")]


def test_what_is_shown_does_not_change_what_a_waiver_covers(subjects_of):
    waiver = {"rule": "routing.shared-as", "at": "*", "reason": "for a while", "until": "2027-06-30"}
    subjects = replace(subjects_of({"intent": {**SHARED, "waivers": [waiver]}}), today=TODAY)
    assert run(subjects, select=["waivers.*"]) == ()
    assert [each for each in run(subjects, ignore=["routing.*"]) if each.waived] == []
    assert [each.waived for each in run(subjects, select=["routing.shared-as"])] == ["for a while"]


def test_rules_whose_errors_lose_packets_for_certain_cannot_be_waived():
    assert {rule.id for rule in rules() if rule.certain_loss} >= {
        "access.shared-target",
        "addressing.duplicate-address",
        "cabling.port-beyond-model",
        "cabling.port-used-twice",
        "cabling.speed-mismatch",
        "links.mtu",
    }


def test_the_rules_about_waivers_need_to_know_what_the_others_said(subjects_of):
    about = [rule for rule in rules() if "judged" in rule.subjects]
    assert {rule.id.partition(".")[0] for rule in about} == {"waivers"}
    assert run_rules(about, subjects_of({"intent": {"waivers": [{"rule": "x.y", "at": "x", "reason": "why"}]}})) == ()

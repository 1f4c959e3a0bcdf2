"""Rules are found by their places, run where their subjects are, and never take one another down."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from fabric.errors import UsageError
from fabric.places import Place
from fabric.results import Severity
from fabric.rules.contract import SECTIONS, Rule, Subjects, Violation
from fabric.rules.runner import page, rule_of, rules, run, run_rules

PAGE = "A rule.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)


def rule(check, *subjects, name="group.rule", severity=Severity.WARNING):
    return Rule(name, PAGE, severity, subjects, check)


def module(name="fabric.rules.group.some_rule", **members):
    made = ModuleType(name, members.pop("doc", PAGE))
    vars(made).update(members)
    return made


def test_the_id_of_a_rule_is_its_place():
    found = rule_of(module(SEVERITY=Severity.ERROR, check=lambda network: [network]))
    assert found.id == "group.some-rule"
    assert found.subjects == ("network",)
    assert found.summary == "A rule."
    assert not found.certain_loss
    assert rule_of(module(SEVERITY=Severity.ERROR, CERTAIN_LOSS=True, check=lambda network: [network])).certain_loss
    for each in rules():
        name = f"fabric.rules.{each.id}".replace("-", "_")
        assert each.check is sys.modules[name].check


@pytest.mark.parametrize(
    ("members", "lacks"),
    [
        pytest.param({"doc": "A rule."}, "no section 'Why' in its docstring", id="section"),
        pytest.param({"doc": None}, "no section 'What it does' in its docstring", id="docstring"),
        pytest.param({"SEVERITY": "error"}, "no SEVERITY", id="severity"),
        pytest.param(
            {"CERTAIN_LOSS": "yes"}, "CERTAIN_LOSS or ON_REQUEST is neither True nor False", id="certain-loss"
        ),
        pytest.param({"check": None}, "no function check with subjects as parameters", id="check"),
        pytest.param({"check": list}, "is no subject", id="builtin"),
        pytest.param({"check": lambda fabric: [fabric]}, "parameter 'fabric' of check is no subject", id="subject"),
    ],
)
def test_a_module_that_is_no_rule_says_what_it_lacks(members, lacks):
    whole = {"SEVERITY": Severity.ERROR, "check": lambda network: [network]}
    with pytest.raises(TypeError, match=r"some_rule is not a rule: ") as caught:
        rule_of(module(**(whole | members)))
    assert lacks in str(caught.value)


def test_the_first_twelve_rules_are_there():
    assert {each.id for each in rules()} >= {
        "addressing.duplicate-address",
        "addressing.pool-overlap",
        "cabling.port-beyond-model",
        "cabling.port-used-twice",
        "cabling.speed-mismatch",
        "classes.cnp-lossless",
        "classes.duplicate",
        "classes.shares",
        "ecn.min-above-max",
        "links.mtu",
        "topology.oversubscription",
        "topology.unequal-uplinks",
    }
    assert [each.id for each in rules()] == sorted(each.id for each in rules())


def test_a_page_has_the_id_the_severity_and_the_docstring():
    text = page("ecn.min-above-max")
    assert text.startswith("ecn.min-above-max (error)\n\nMarking begins before it is full.\n\nWhat it does\n")
    assert text.endswith("Since\n    0.1\n")


def test_a_page_of_an_unknown_rule_names_the_nearest():
    with pytest.raises(UsageError, match=r"no rule 'ecn.min-over-max'") as caught:
        page("ecn.min-over-max")
    assert caught.value.hint.startswith("did you mean ecn.min-above-max")
    with pytest.raises(UsageError):
        page("ecn.*")


def test_a_broken_rule_becomes_a_finding_and_the_others_run_on(subjects_of):
    def broken(network):
        yield Violation("x", "lost with the rest")
        raise KeyError(network.links[0])

    def sound(network):
        yield Violation(next(iter(network.nodes)), "seen")

    findings = run_rules(
        [rule(broken, "network", name="a.broken"), rule(sound, "network", name="b.sound")], subjects_of({})
    )
    assert [(each.rule, each.severity) for each in findings] == [
        ("a.broken", Severity.ERROR),
        ("b.sound", Severity.WARNING),
    ]
    assert "the rule itself is broken (KeyError" in findings[0].message
    assert "bug in fabric" in findings[0].fix


def test_a_rule_runs_only_when_all_its_subjects_are_there(subjects_of):
    whole = subjects_of({})
    seen = []
    both = [rule(lambda document, design: seen.append((document, design)) or (), "document", "design")]
    run_rules(both, Subjects(document=whole.document))
    run_rules(both, Subjects(network=whole.network))
    assert seen == []
    run_rules(both, whole)
    assert seen == [(whole.document, whole.design)]


def test_the_network_of_the_design_is_judged_unless_another_is_given(subjects_of):
    whole = subjects_of({})
    other = replace(whole.network, links=())
    assert Subjects(design=whole.design).named()["network"] is whole.design.network
    assert Subjects(design=whole.design, network=other).named()["network"] is other
    assert Subjects().named() == {}


def test_errors_come_first_and_a_violation_may_be_worse_than_its_rule(subjects_of):
    def check(network):
        yield Violation("a", "as the rule")
        yield Violation("b", "worse", severity=Severity.ERROR)

    findings = run_rules([rule(check, "network", severity=Severity.NOTE)], subjects_of({}))
    assert [(each.path, each.severity) for each in findings] == [("b", Severity.ERROR), ("a", Severity.NOTE)]


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("classes.rdma.priority", "classes.rdma.priority"),
        ("leaf01.links", "topology.switches.leaf"),
        ("gpu01.nowhere", "topology.hosts.gpu"),
    ],
)
def test_a_finding_has_the_place_of_its_object(path, near, subjects_of):
    subjects = subjects_of({})
    (finding,) = run_rules(
        [rule(lambda network: [Violation(path, f"one of {len(network.nodes)}")], "network")], subjects
    )
    assert finding.place == subjects.document.place(near)
    assert isinstance(finding.place, Place)


@pytest.mark.parametrize("path", ["tor-a1.rack-7.links", "tor-a1.rack-7.links.nowhere", "tor-a1.rack-7"])
def test_a_node_with_dots_in_its_name_has_a_place(path, subjects_of):
    subjects = subjects_of({"intent": {"nodes": {"leaf01": {"name": "tor-a1.rack-7"}, "gpu01": {"name": "tor-a1"}}}})
    found = run_rules([rule(lambda network: [Violation(path, f"one of {len(network.nodes)}")], "network")], subjects)
    assert [each.place for each in found] == [subjects.document.place("topology.switches.leaf")]


def test_an_object_without_a_place_has_none(subjects_of):
    subjects = subjects_of({})
    always = [
        rule(
            lambda network: [Violation(name, str(len(network.nodes))) for name in ("leaf01.links", "nobody")], "network"
        )
    ]
    assert [each.place for each in run_rules(always, Subjects(network=subjects.network))] == [None, None]
    assert run_rules(always, subjects)[1].place is None


BAD = {"intent": {"classes": {"bulk": {"priority": 3, "share": "10%"}}}}


def found_by(subjects, **chosen):
    return {each.rule for each in run(subjects, **chosen)}


def test_rules_are_selected_and_ignored_by_id_or_pattern(subjects_of):
    subjects = subjects_of(BAD)
    assert {"classes.duplicate", "classes.shares"} <= found_by(subjects)
    assert found_by(subjects, select=["classes.*"]) >= {"classes.duplicate", "classes.shares"}
    without = found_by(subjects, select=["classes.sha*", "classes.duplicate"], ignore=["classes.sha*"])
    assert without == {"classes.duplicate"}

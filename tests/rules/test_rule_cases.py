"""Every rule against its cases: what fails, what passes, and what lies just on the border."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from fabric.rules.runner import judged, rules, run_rules

HERE = Path(__file__).parent
KINDS = ("failing", "passing", "border")


def cases_of(rule_id):
    path = HERE / f"{rule_id.replace('.', '/').replace('-', '_')}.yaml"
    return YAML(typ="safe", pure=True).load(path.read_text())


CASES = [
    pytest.param(rule.id, case, id=f"{rule.id}-{kind}-{name}")
    for rule in rules()
    for kind in KINDS
    for name, case in cases_of(rule.id).get(kind, {}).items()
]


@pytest.mark.parametrize(("rule_id", "case"), CASES)
def test_a_rule_says_of_a_case_exactly_what_is_expected(rule_id, case, subjects_of):
    subjects = judged(replace(subjects_of(case), today=case.get("today")))
    findings = run_rules([rule for rule in rules() if rule.id == rule_id], subjects)
    expected = case.get("expect", [])
    assert [finding.path for finding in findings] == [each["path"] for each in expected], findings
    for finding, each in zip(findings, expected, strict=True):
        assert [part for part in each["says"] if part not in finding.message] == [], finding.message
        assert (finding.measured, finding.bound) == (each["measured"], each["bound"])
        assert finding.fix
        assert finding.place is not None


@pytest.mark.parametrize("rule_id", [rule.id for rule in rules()])
def test_every_rule_has_failing_passing_and_border_cases(rule_id):
    cases = cases_of(rule_id)
    assert set(cases) == set(KINDS)
    assert all(cases[kind] for kind in KINDS)
    assert all(case.get("expect") for case in cases["failing"].values())
    assert not any(case.get("expect") for case in cases["passing"].values())

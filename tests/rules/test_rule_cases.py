"""Every rule against its cases: what fails, what passes, and what lies just on the border."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from fabric.rules.runner import rules

_SPEC = spec_from_file_location("rule_cases", Path(__file__).with_name("rule_cases.py"))
kept = module_from_spec(_SPEC)
_SPEC.loader.exec_module(kept)

CASES = [
    pytest.param(rule.id, case, id=f"{rule.id}-{kind}-{name}")
    for rule in rules()
    for kind in kept.KINDS
    for name, case in kept.cases_of(rule.id).get(kind, {}).items()
]


@pytest.mark.parametrize(("rule_id", "case"), CASES)
def test_a_rule_says_of_a_case_exactly_what_is_expected(rule_id, case, subjects_of):
    (rule,) = (rule for rule in rules() if rule.id == rule_id)
    kept.meets(rule, case, kept.prepared(rule, case, subjects_of(case)))


@pytest.mark.parametrize("rule_id", [rule.id for rule in rules()])
def test_every_rule_has_failing_passing_and_border_cases(rule_id):
    cases = kept.cases_of(rule_id)
    assert set(cases) == set(kept.KINDS)
    assert all(cases[kind] for kind in kept.KINDS)
    assert all(case.get("expect") for case in cases["failing"].values())
    assert not any(case.get("expect") for case in cases["passing"].values())

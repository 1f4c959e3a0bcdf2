"""Cases of rules: where they are kept, what is made of them, what they expect; for tests and scripts/mutate.py."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from fabric.rules.runner import judged, run_rules

KINDS = ("failing", "passing", "border")
HERE = Path(__file__).parent


@cache
def cases_of(rule_id):
    """The cases of a rule by kind and name; none where its file is missing."""
    path = HERE / f"{rule_id.replace('.', '/').replace('-', '_')}.yaml"
    return YAML(typ="safe", pure=True).load(path.read_text()) if path.exists() else {}


def prepared(rule, case, subjects):
    """The subjects of a case on its day, with what other rules say where that is asked for."""
    dated = replace(subjects, today=case.get("today"))
    return judged(dated) if "judged" in rule.subjects else dated


def meets(rule, case, subjects):
    """Fail unless a rule says of prepared subjects what the case expects."""
    findings = run_rules([rule], subjects)
    expected = case.get("expect", [])
    assert [finding.path for finding in findings] == [each["path"] for each in expected], findings
    for finding, each in zip(findings, expected, strict=True):
        assert [part for part in each["says"] if part not in finding.message] == [], finding.message
        assert (finding.measured, finding.bound) == (each["measured"], each["bound"])
        assert each.get("severity", finding.severity.value) == finding.severity.value
        assert finding.fix
        assert each.get("fix", finding.fix) == finding.fix
        assert finding.place is not None

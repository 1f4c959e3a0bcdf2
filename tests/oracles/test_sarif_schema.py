"""What is written as SARIF, against the published schema, which is not ours.

`sarif-schema-2.1.0.json` is that of SARIF 2.1.0 Plus Errata 01 (OASIS Standard), unchanged, as it stands in
`sarif-2.1/schema/` of oasis-tcs/sarif-spec at a560296ca8c921f3bdb8d4a8db57ab83dae968a7.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from fabric.design.model import Design
from fabric.errors import Problem
from fabric.places import Place
from fabric.report.style import report
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.rules.runner import rules
from fabric.settings.network import Network
from fabric.workflows.prepare import prepare

ROOT = Path(__file__).parents[2]
SCHEMA = Path(__file__).parent / "sarif-schema-2.1.0.json"
DESIGN = Design("lab", Network({}, ()), (), 9000, (), {})
FINDING = Finding(
    "links.mtu",
    Severity.ERROR,
    "leaf01.links.swp1",
    "MTU differs",
    "1500 B",
    "9000 B",
    "raise it",
    Place("site/fabric.yaml", 14, 5),
)
WAIVED = replace(FINDING, path="leaf02.links.swp1", waived="bought like this", until=date(2027, 6, 30))


@pytest.fixture(scope="module")
def valid():
    """Read a log that the schema has nothing against."""
    validator = Draft4Validator(json.loads(SCHEMA.read_text()))

    def read(text):
        log = json.loads(text)
        assert [f"{'/'.join(map(str, each.path))}: {each.message}" for each in validator.iter_errors(log)] == []
        return log

    return read


def sarif():
    return report("sarif", color=False)


def test_the_schema_is_the_published_one_and_refuses_what_is_wrong(valid):
    assert sha256(SCHEMA.read_bytes()).hexdigest().startswith("c3b4bb2d6093897483348925aaa73af0")
    good = sarif().findings(DESIGN, [FINDING])
    with pytest.raises(AssertionError, match="startLine"):
        valid(good.replace('"startLine": 14', '"startLine": 0'))
    with pytest.raises(AssertionError, match="level"):
        valid(good.replace('"level": "error"', '"level": "bad"'))


@pytest.mark.parametrize("name", ["lab", "pod16"])
def test_the_findings_of_an_inventory_are_valid(valid, name):
    prepared = prepare(ROOT / "inventories" / name)
    log = valid(sarif().findings(prepared.design, prepared.findings, prepared.rules))
    (run,) = log["runs"]
    described = run["tool"]["driver"]["rules"]
    assert [each["id"] for each in described] == [rule.id for rule in prepared.rules]
    assert all(described[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    assert len(run["results"]) == len(prepared.findings)
    assert run["invocations"][0]["exitCode"] == 0


def test_every_rule_is_described_with_its_page_and_level(valid):
    log = valid(sarif().findings(DESIGN, [], rules()))
    described = log["runs"][0]["tool"]["driver"]["rules"]
    assert {each["id"]: each["defaultConfiguration"] for each in described} == {
        rule.id: {"level": rule.severity.value, "enabled": not rule.on_request} for rule in rules()
    }
    for each in described:
        assert each["fullDescription"]["text"][0].isupper()
        assert each["help"]["text"].startswith(each["shortDescription"]["text"])
        assert "**Why**\n\n" in each["help"]["markdown"]


def test_a_finding_has_level_message_line_object_and_fingerprint(valid):
    (result,) = valid(sarif().findings(DESIGN, [FINDING]))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("links.mtu", "error")
    assert result["message"]["text"] == "MTU differs\n(measured 1500 B, bound 9000 B)\nFix: raise it"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "site/fabric.yaml"},
        "region": {"startLine": 14, "startColumn": 5},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "leaf01.links.swp1"}]
    assert set(result["partialFingerprints"].values()) == {FINDING.fingerprint}
    assert result["suppressions"] == []


def test_what_is_waived_is_suppressed_with_the_reason_and_stops_nothing(valid):
    (run,) = valid(sarif().findings(DESIGN, [WAIVED]))["runs"]
    assert run["results"][0]["suppressions"] == [
        {"kind": "inSource", "justification": "bought like this (until 2027-06-30)"}
    ]
    assert run["invocations"][0]["exitCode"] == 0
    assert valid(sarif().findings(DESIGN, [FINDING]))["runs"][0]["invocations"][0]["exitCode"] == 3


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("fabric.yaml", "fabric.yaml"),
        ("my site/fäbric#1.yaml", "my%20site/f%C3%A4bric%231.yaml"),
        ("/etc/site/fabric.yaml", "file:///etc/site/fabric.yaml"),
    ],
)
def test_files_are_named_by_references_that_are_legal(valid, file, uri):
    placed = replace(FINDING, place=Place(file, 1, 1))
    (result,) = valid(sarif().findings(DESIGN, [placed]))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_finding_without_a_place_or_an_object_is_valid(valid):
    bare = Finding("a.rule", Severity.NOTE, "", "the rule itself is broken")
    (result,) = valid(sarif().findings(DESIGN, [bare], rules()))["runs"][0]["results"]
    assert (result["locations"], "ruleIndex" in result) == ([], False)


def test_a_file_that_cannot_be_judged_is_valid_with_its_lines(valid):
    problems = (
        Problem("unknown key mtuu", "fabric.yaml:9:3", "did you mean mtu?"),
        Problem("no fabric", "fabric.yaml"),
    )
    first, second = valid(sarif().problems("fabric.yaml", problems))["runs"][0]["results"]
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 9, "startColumn": 3}
    assert first["message"]["text"] == "unknown key mtuu\ndid you mean mtu?"
    assert second["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "fabric.yaml"}}


def test_a_verification_holds_what_failed_and_leaves_open_what_could_not_be_looked_at(valid):
    results = (
        CheckResult("links.up", "leaf01:swp1", Status.PASS, "up"),
        CheckResult("links.up", "leaf01:swp2", Status.FAIL, "down", "up", "down"),
        CheckResult("cabling.lldp", "leaf01", Status.SKIP, "no LLDP", announced=True),
        CheckResult("cabling.lldp", "leaf02", Status.ERROR, "cannot look"),
    )
    found = valid(sarif().verification(DESIGN, Verification("lab", results, (FINDING,))))["runs"][0]["results"]
    assert [(each["ruleId"], each.get("kind"), each["level"]) for each in found] == [
        ("links.mtu", None, "error"),
        ("links.up", "fail", "error"),
        ("cabling.lldp", "open", "none"),
        ("cabling.lldp", "fail", "error"),
    ]
    assert found[1]["message"]["text"] == "down (expected up, found down)"
    assert found[1]["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "leaf01:swp2"}]}]


@given(st.text(), st.integers(1, 10**6))
def test_whatever_a_finding_says_the_log_is_valid(text, line):
    said = replace(FINDING, path=text, message=text, measured=text, waived=text, place=Place(text or "x", line, line))
    log = json.loads(sarif().findings(DESIGN, [said]))
    assert list(Draft4Validator(json.loads(SCHEMA.read_text())).iter_errors(log)) == []

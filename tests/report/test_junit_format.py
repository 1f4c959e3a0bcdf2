"""JUnit documents as a parser that is not ours reads them."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import date

import junitparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric import __version__
from fabric.changes.change import Change, Steps
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.plan import Plan
from fabric.changes.run import NodeRun, NodeState, Run, RunState
from fabric.design.model import Design
from fabric.errors import Problem, UsageError
from fabric.report.style import report
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.rules.runner import rules
from fabric.settings.links import Port
from fabric.settings.network import Network

DESIGN = Design("lab", Network({}, ()), (), 9000, (), {})
ERROR = Finding("links.mtu", Severity.ERROR, "leaf01.links.swp1", "MTU differs", "1500", "9000", "raise it")
NOTE = Finding("systems.not-listed", Severity.NOTE, "leaf01", "not listed")
RESULTS = (
    CheckResult("links.up", "leaf01:swp1", Status.PASS, "up"),
    CheckResult("links.up", "leaf01:swp2", Status.FAIL, "down", "up", "down"),
    CheckResult("cabling.lldp", "leaf01", Status.SKIP, "no LLDP", announced=True),
    CheckResult("cabling.lldp", "leaf02", Status.ERROR, "cannot look"),
)
DELTA = Delta("leaf01", (RowDelta("links", "swp1", Port(1500), Port(9000), ("mtu",)),))
PLAN = Plan(
    fabric="lab",
    intent="abc",
    waves=(("leaf01",),),
    changes={"leaf01": Change("leaf01", DELTA, Steps())},
    equal=("leaf02",),
    unreached={"leaf03": Problem("no route", "leaf03", "look at the cable")},
)


@pytest.fixture
def junit():
    return report("junit", color=False)


def root_of(text):
    return ET.fromstring(text)  # noqa: S314  # our own text, read again


def read(text):
    """Read a document; attributes of suites are what the parser itself counts, or the document lies."""
    found = junitparser.JUnitXml.fromstring(text)
    for suite in found:
        stated = (suite.tests, suite.failures, suite.errors, suite.skipped)
        suite.update_statistics()
        assert stated == (suite.tests, suite.failures, suite.errors, suite.skipped)
        assert {p.name: p.value for p in suite.properties()} == {"fabric.version": __version__}
    return {(suite.name, case.name): case for suite in found for case in suite}


def kinds(case):
    return [type(result).__name__ for result in case.result]


def test_each_rule_is_a_case_that_fails_where_it_found_an_error(junit):
    found = read(junit.findings(DESIGN, [ERROR, NOTE], rules()))
    assert len(found) == len(rules())
    failed = found["rules.links", "links.mtu leaf01.links.swp1"]
    assert kinds(failed) == ["Failure"]
    assert failed.result[0].message == "MTU differs"
    assert "bound: 9000\nfix: raise it\nwhere: leaf01.links.swp1" in failed.result[0].text
    noted = found["rules.systems", "systems.not-listed leaf01"]
    assert (noted.is_passed, "note: not listed" in noted.system_out) == (True, True)
    assert found["rules.addressing", "addressing.duplicate-address"].is_passed
    assert f"fingerprint: {ERROR.fingerprint}" in failed.result[0].text


def test_a_rule_that_did_not_judge_is_no_passed_case(junit):
    ran = [rule for rule in rules() if rule.id in {"links.mtu", "ecn.tiny"}]
    assert set(read(junit.findings(DESIGN, [ERROR], ran))) == {
        ("rules.links", "links.mtu leaf01.links.swp1"),
        ("rules.ecn", "ecn.tiny"),
    }


def test_a_waived_finding_is_skipped_with_its_reason(junit):
    waived = replace(ERROR, waived="bought like this", until=date(2027, 6, 30))
    case = read(junit.findings(DESIGN, [waived]))["rules.links", "links.mtu leaf01.links.swp1"]
    assert kinds(case) == ["Skipped"]
    assert case.result[0].message == "waived: bought like this (until 2027-06-30)"


def test_each_check_at_each_place_is_a_case(junit):
    found = read(junit.verification(DESIGN, Verification("lab", RESULTS, (ERROR,))))
    assert found["checks.links.up", "leaf01:swp1"].is_passed
    assert kinds(found["checks.links.up", "leaf01:swp2"]) == ["Failure"]
    assert "expected: up\nfound: down" in found["checks.links.up", "leaf01:swp2"].result[0].text
    assert kinds(found["checks.cabling.lldp", "leaf01"]) == ["Skipped"]
    assert found["checks.cabling.lldp", "leaf01"].result[0].message == "no LLDP"
    assert kinds(found["checks.cabling.lldp", "leaf02"]) == ["Error"]
    assert kinds(found["rules.links", "links.mtu leaf01.links.swp1"]) == ["Failure"]


def test_a_node_of_a_plan_fails_where_it_differs_and_errs_where_it_is_not_reached(junit):
    found = read(junit.plan(DESIGN, PLAN, "/x", frozenset()))
    assert found["plan", "leaf02"].is_passed
    differs, unreached = found["plan", "leaf01"].result[0], found["plan", "leaf03"].result[0]
    assert (type(differs).__name__, differs.message) == ("Failure", "1 difference, impact hitless")
    assert differs.text == "links swp1: mtu 1500 -> 9000"
    assert (type(unreached).__name__, unreached.message, unreached.text) == ("Error", "no route", "look at the cable")


def test_the_nodes_of_a_run_are_cases_by_wave(junit):
    nodes = (
        NodeRun("leaf01", 1, NodeState.DONE),
        NodeRun("leaf02", 2, NodeState.LOST, "gone"),
        NodeRun("leaf03", 2, NodeState.REFUSED, "no"),
        NodeRun("leaf04", 3, NodeState.PENDING),
    )
    run = Run("r", "apply", "lab", "/x", "abc", RunState.STOPPED, "t0", "t1", "me", alive=False, nodes=nodes)
    found = read(junit.run(run))
    assert {name: kinds(case) for name, case in found.items()} == {
        ("apply.wave-1", "leaf01"): [],
        ("apply.wave-2", "leaf02"): ["Error"],
        ("apply.wave-2", "leaf03"): ["Failure"],
        ("apply.wave-3", "leaf04"): ["Skipped"],
    }


def test_the_sums_of_a_document_stand_at_its_top(junit):
    root = root_of(junit.verification(DESIGN, Verification("lab", RESULTS)))
    assert root.attrib == {"name": "lab", "tests": "4", "failures": "1", "errors": "1"}


@given(st.text())
def test_whatever_a_device_says_the_document_is_xml(text):
    result = CheckResult("links.up", text, Status.FAIL, text, text, text)
    root = root_of(report("junit", color=False).verification(DESIGN, Verification("lab", (result,))))
    assert root.find("testsuite/testcase/failure") is not None


def test_characters_that_xml_cannot_hold_are_replaced(junit):
    result = CheckResult("links.up", "leaf01", Status.FAIL, "a\x00b\x1b[0m\ufffe\ud800 <&>")
    root = root_of(junit.verification(DESIGN, Verification("lab", (result,))))
    assert root.find("testsuite/testcase/failure").text == "a\ufffdb\ufffd[0m\ufffd\ufffd <&>"


def test_what_is_no_verdict_is_refused(junit):
    for ask in (
        lambda: junit.design(DESIGN),
        lambda: junit.listing(DESIGN),
        lambda: junit.node(DESIGN, "leaf01", why=False),
        lambda: junit.runs([]),
        lambda: junit.rows("lab", ("a",), []),
    ):
        with pytest.raises(UsageError, match="junit cannot say"):
            ask()

"""Marks: where in the fabric the words of rules, checks and plans belong."""

import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.plan import Plan
from fabric.errors import Problem
from fabric.report.drawing_model import Mark
from fabric.report.html_marks import design_marks, findings_marks, plan_marks, verification_marks
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.settings.links import Port
from fabric.settings.network import End


def finding(path, severity=Severity.ERROR, **more):
    return Finding("links.mtu", severity, path, "too small", **more)


def result(at, status, **more):
    return CheckResult("links.up", at, status, "words", **more)


@pytest.mark.parametrize(
    "path", ["leaf01.links.swp3", "leaf01.links.swp3.mtu", "leaf01:swp3", "leaf01.addresses.swp3 10.0.0.1/31"]
)
def test_a_finding_at_a_port_marks_its_node_and_its_link(clos, path):
    marks = findings_marks(clos(), [finding(path)])
    assert marks.nodes == {"leaf01": Mark.ERROR}
    assert marks.ends == {End("leaf01", "swp3"): Mark.ERROR}
    assert marks.said == {"leaf01": ("error[links.mtu] too small",)}


@pytest.mark.parametrize(
    "path", ["classes.rdma.dscp", "topology.switches.leaf.system", "leaf99.links.swp1", "", ".", "leaf0"]
)
def test_a_finding_elsewhere_marks_nothing(clos, path):
    marks = findings_marks(clos(), [finding(path)])
    assert (marks.nodes, marks.ends) == ({}, {})
    assert marks.words == {Mark.OK: "nothing found"}


def test_a_finding_at_a_node_marks_no_link(clos):
    marks = findings_marks(clos(), [finding("leaf01.links", Severity.WARNING)])
    assert (marks.nodes, marks.ends) == ({"leaf01": Mark.WARNING}, {})


def test_further_places_of_a_finding_are_marked_and_the_worst_stays(clos):
    found = [finding("leaf01.links.swp1", Severity.NOTE, also=("leaf02.links.swp1",)), finding("leaf01.bgp.router")]
    assert findings_marks(clos(), found).nodes == {"leaf01": Mark.ERROR, "leaf02": Mark.NOTE}


def test_an_accepted_error_is_no_more_than_a_note(clos):
    marks = findings_marks(clos(), [finding("leaf01.links.swp1", waived="old optics")])
    assert marks.nodes == {"leaf01": Mark.NOTE}
    assert marks.said["leaf01"] == ("error[links.mtu] too small (waived: old optics)",)


def test_checks_mark_where_they_looked_and_nothing_else(clos):
    results = (
        result("leaf01:swp3", Status.PASS),
        result("leaf02:swp3", Status.FAIL),
        result("spine01", Status.SKIP),
        result("spine02", Status.SKIP, announced=True),
        result("gpu01:swp1 10.0.0.1", Status.ERROR),
    )
    marks = verification_marks(clos(), Verification("clos", results))
    assert marks.nodes == {
        "leaf01": Mark.OK,
        "leaf02": Mark.ERROR,
        "spine01": Mark.SKIP,
        "spine02": Mark.OK,
        "gpu01": Mark.ERROR,
    }
    assert marks.ends[End("leaf02", "swp3")] is Mark.ERROR
    assert marks.ends[End("gpu01", "swp1")] is Mark.ERROR
    assert marks.node("leaf03") is Mark.UNSEEN
    assert "leaf01" not in marks.said
    assert set(marks.words) == {Mark.ERROR, Mark.SKIP, Mark.OK, Mark.UNSEEN}


def test_rules_on_what_was_read_mark_too(clos):
    found = Verification("clos", (result("leaf01", Status.PASS),), (finding("leaf01.links.swp1"),))
    assert verification_marks(clos(), found).nodes == {"leaf01": Mark.ERROR}


def test_a_plan_marks_what_changes_is_equal_and_was_not_reached(clos):
    delta = Delta("leaf01", (RowDelta("links", "swp3", Port(1500), Port(9000), ("mtu",)),))
    plan = Plan(
        "clos",
        "",
        (("leaf01",),),
        {"leaf01": Change("leaf01", delta, Steps())},
        ("leaf02",),
        {"leaf03": Problem("no route")},
    )
    marks = plan_marks(clos(), plan)
    assert marks.nodes == {"leaf01": Mark.CHANGED, "leaf02": Mark.OK, "leaf03": Mark.ERROR}
    assert marks.ends == {End("leaf01", "swp3"): Mark.CHANGED}
    assert marks.said == {"leaf01": ("impact hitless", "links swp3: mtu 1500 -> 9000"), "leaf03": ("no route",)}
    assert marks.words[Mark.UNSEEN] == "not looked at"


def test_what_is_not_in_service_is_shown_as_such_unless_it_fails(clos):
    design = clos(states={"leaf01": "planned", "leaf02": "maintenance", "leaf03": "maintenance"})
    found = Verification("clos", (result("leaf02", Status.PASS), result("leaf03", Status.FAIL)))
    assert verification_marks(design, found).nodes == {
        "leaf01": Mark.PLANNED,
        "leaf02": Mark.MAINTENANCE,
        "leaf03": Mark.ERROR,
    }
    assert design_marks(design).words == {
        Mark.PLAIN: "in service",
        Mark.PLANNED: "planned, not there yet",
        Mark.MAINTENANCE: "in maintenance, not judged",
    }


def test_a_drawing_that_judges_nothing_needs_no_legend(clos):
    assert design_marks(clos()).words == {}

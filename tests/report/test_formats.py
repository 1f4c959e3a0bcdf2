"""What each format says of plans, runs and verifications."""

import json
from dataclasses import replace
from datetime import date

import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.command import Command
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.plan import Plan
from fabric.changes.run import NodeRun, NodeState, Run, RunState
from fabric.changes.steps import Arm, Confirm, Impact, Put
from fabric.changes.steps import Run as RunStep
from fabric.design.model import Design
from fabric.errors import Problem, UsageError
from fabric.places import Place
from fabric.report.style import report
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.rules.runner import rules
from fabric.settings.links import Port
from fabric.settings.network import Network

DESIGN = Design("lab", Network({}, ()), (), 9000, (), {})
DELTA = Delta("leaf01", (RowDelta("links", "swp1", Port(1500), Port(9000), ("mtu",)),), ("links swp1 speed",))
STEPS = Steps(
    do=(
        Put(why="keep", path="/etc/x", content="secret text\n"),
        RunStep(why="flap it", command=Command("ip link\nmore"), impact=Impact.FLAP),
        Arm(why="guard", start=(), extend=Command("x"), seconds=600),
        Confirm(why="keep it", command=Command("y")),
    ),
    undo=(RunStep(why="back", command=Command("ip -batch -", stdin="x"), impact=Impact.PFC_GAP),),
)
FINDING = Finding("links.mtu", Severity.ERROR, "leaf01.links.swp1", "MTU differs", "1500", "9000", "raise it")
WAIVED = replace(FINDING, path="leaf02.links.swp1", waived="bought like this", until=date(2027, 6, 30))
PLAN = Plan(
    fabric="lab",
    intent="abc",
    waves=(("leaf01",),),
    changes={"leaf01": Change("leaf01", DELTA, STEPS)},
    equal=("leaf02",),
    unreached={"leaf03": Problem("no route", "leaf03")},
    unmanaged={"frr": ("pfc",), "linux": ()},
    unverified={"leaf01": DELTA.unverified},
    interim={1: (FINDING, FINDING)},
    affected={"leaf01": ("gpu01", "gpu02")},
)
RUN = Run(
    id="20260101-000000-beef",
    kind="apply",
    fabric="lab",
    file="/x",
    intent="abc",
    state=RunState.RUNNING,
    started="t0",
    ended="",
    by="me@here",
    alive=False,
    nodes=(NodeRun("leaf01", 1, NodeState.DONE), NodeRun("leaf02", 2, NodeState.LOST, "gone")),
)
VERIFICATION = Verification(
    "lab",
    (
        CheckResult("links.up", "leaf01:swp1", Status.PASS, "up"),
        CheckResult("links.up", "leaf01:swp2", Status.FAIL, "down", "up", "down"),
        CheckResult("cabling.lldp", "leaf01", Status.SKIP, "no LLDP", announced=True),
    ),
    (FINDING,),
    ("leaf01 links swp1 speed",),
)


@pytest.fixture
def table():
    return report("table", color=False)


@pytest.fixture
def document():
    return report("json", color=False)


def test_a_plan_names_differences_harm_waves_and_what_is_left_out(table):
    assert table.plan(DESIGN, PLAN, "/x", frozenset()) == (
        "leaf01  1 difference, impact flap\n"
        "  facet  key   change\n"
        "  links  swp1  mtu 1500 -> 9000\n"
        "  flap: flap it (run ip link ...)\n"
        "  affected: gpu01, gpu02\n"
        "\n"
        "wave 1: leaf01\n"
        "  until the next wave links.mtu is not met: leaf01.links.swp1 and 1 more place\n"
        "not reached: leaf03: no route\n"
        "not managed on frr: pfc\n"
        "unverified: links speed (1 value)\n"
        "lab: 1 node to change in 1 wave, worst impact flap; 1 equal; 1 not reached\n"
    )


def test_a_plan_document_keeps_digests_and_listings_but_no_contents(document):
    text = document.plan(DESIGN, PLAN, "/x/fabric.yaml", frozenset({"links"}))
    found = json.loads(text)
    assert "secret text" not in text
    assert (found["kind"], found["format_version"], found["only"]) == ("plan", 1, ["links"])
    node = found["nodes"]["leaf01"]
    assert node["digest"] == PLAN.changes["leaf01"].digest
    assert (node["impact"], node["undo_impact"]) == ("flap", "pfc-gap")
    assert node["steps"] == [
        "hitless: keep: put /etc/x (12 bytes)",
        "flap: flap it: run ip link ...",
        "hitless: guard: arm a timer of 600 s",
        "hitless: keep it: confirm",
    ]
    assert node["undo"] == ["pfc-gap: back: run ip -batch - ..."]
    assert found["unreached"] == {"leaf03": "no route"}


def test_a_killed_run_is_called_killed(table, document):
    assert "apply of lab by me@here, killed" in table.run(RUN)
    assert "lost   gone" in table.run(RUN)
    assert "1 done, 1 lost" in table.runs([RUN])
    found = json.loads(document.run(RUN))
    assert (found["kind"], found["run"]["state"], found["run"]["alive"]) == ("run", "running", False)
    assert [node["state"] for node in found["run"]["nodes"]] == ["done", "lost"]
    assert json.loads(document.runs([RUN]))["runs"][0]["id"] == RUN.id


def test_a_verification_shows_everything_but_what_passed(table, document):
    said = table.verification(DESIGN, VERIFICATION)
    assert "links.up      1     1" in said
    assert "fail links.up leaf01:swp2: down (expected up, found down)" in said
    assert "skip cabling.lldp leaf01: no LLDP" in said
    assert "error[links.mtu] leaf01.links.swp1: MTU differs\n  leaf01.links.swp1: measured 1500, bound 9000" in said
    assert "lab: 1 pass, 1 fail, 1 skip, 0 error; 1 designed value could not be read" in said
    assert json.loads(document.verification(DESIGN, VERIFICATION))["results"][1]["status"] == "fail"


def test_a_waived_finding_is_dim_with_its_reason_and_counted_by_itself(table, document):
    said = table.findings(DESIGN, [FINDING, WAIVED])
    assert "waived: bought like this (until 2027-06-30)\n" in said
    assert said.count("fix: raise it") == 1
    assert said.endswith("lab: 1 error, 0 warnings, 0 notes, 1 waived\n")
    assert "(until" not in table.findings(DESIGN, [replace(WAIVED, until=None)])
    coloured = report("table", color=True).findings(DESIGN, [WAIVED])
    assert "\x1b[2m" in coloured
    assert "\x1b[1;31m" not in coloured
    found = json.loads(document.findings(DESIGN, [FINDING, WAIVED]))["findings"]
    assert [(each["waived"], each["until"]) for each in found] == [("", None), ("bought like this", "2027-06-30")]


def test_a_document_of_findings_has_their_fingerprints_and_the_rules_that_judged(document):
    ran = [rule for rule in rules() if rule.id.startswith("links.")]
    found = json.loads(document.findings(DESIGN, [FINDING], ran))
    assert found["findings"][0]["fingerprint"] == FINDING.fingerprint
    assert found["rules"] == [rule.id for rule in ran]
    assert json.loads(document.verification(DESIGN, VERIFICATION))["findings"][0]["fingerprint"] == FINDING.fingerprint


def test_announced_skips_count_only_when_strict():
    skipped = Verification("lab", (CheckResult("a.b", "x", Status.SKIP, "no", announced=True),))
    assert not skipped.failed(strict=False)
    assert skipped.failed(strict=True)
    assert Verification("lab", (CheckResult("a.b", "x", Status.SKIP, "no"),)).failed(strict=False)
    assert Verification("lab", (), (FINDING,)).failed(strict=False)
    assert not Verification("lab", ()).failed(strict=True)


def test_plain_rows(table, document):
    assert table.rows("title", ("a", "b"), [("1", "22")]) == "title\na  b\n1  22\n"
    found = json.loads(document.rows("lab x", ("a", "b"), [("1", "2")]))
    assert (found["kind"], found["title"], found["rows"]) == ("rows", "lab x", [{"a": "1", "b": "2"}])


def test_colour_is_added_for_terminals_only():
    assert "\x1b[" in report("table", color=True).verification(DESIGN, VERIFICATION)
    assert "\x1b[" not in report("table", color=False).verification(DESIGN, VERIFICATION)


def test_an_unknown_format_is_refused_with_those_there_are():
    with pytest.raises(UsageError) as caught:
        report("yaml", color=False)
    known = caught.value.hint.removeprefix("formats: ").split(", ")
    assert {"json", "table"} <= set(known)
    assert known == sorted(known)


def test_of_very_many_findings_of_one_rule_the_first_are_shown_and_the_rest_named_in_one_line(table):
    many = [replace(FINDING, path=f"leaf{number:02d}.links.swp1", place=Place("x.yaml", number, 3)) for number in SOME]
    said = table.findings(DESIGN, [*many, replace(FINDING, rule="links.other")])
    assert said.count("MTU differs\n") == 5 + 1
    assert (
        "error[links.mtu] x.yaml:6:3 .. x.yaml:40:3: 35 more like these (--format json has each): "
        "leaf06.links.swp1 .. leaf40.links.swp1 (35)\n"
    ) in said
    assert said.endswith("lab: 41 errors, 0 warnings, 0 notes\n")
    few = table.findings(DESIGN, many[:12])
    assert (few.count("MTU differs\n"), "more like these" in few) == (12, False)


SOME = range(1, 41)

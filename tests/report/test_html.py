"""Pages: one file that loads nothing, shows everything, and takes nothing that it is told for markup."""

import re
from base64 import b64encode
from dataclasses import replace
from datetime import date
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from fabric.changes.change import Change, Steps
from fabric.changes.command import Command
from fabric.changes.delta import Delta, RowDelta
from fabric.changes.plan import Plan
from fabric.changes.run import NodeRun, NodeState, Run, RunState
from fabric.changes.steps import Impact
from fabric.changes.steps import Run as RunStep
from fabric.errors import Problem
from fabric.places import Place
from fabric.report.style import report
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.settings.links import Port
from fabric.transport.record import Recording, save

HOSTILE = "</td></script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\"' \x1b[31m \ud800 \u202e"
VOID = {"meta", "br", "input"}
BIG = {"spines": 16, "leaves": 384, "hosts": 944, "nics": 8, "per_group": 16}
ERROR = Finding("links.mtu", Severity.ERROR, "leaf01.links.swp1", "MTU differs", "1500", "9000", "raise it")
FAILED = CheckResult("links.up", "leaf01:swp2", Status.FAIL, "down", "up", "no light")
STEPS = Steps((RunStep(why="flap it", command=Command("ip link\nmore"), impact=Impact.FLAP),), ())
DELTA = Delta("leaf01", (RowDelta("links", "swp1", Port(1500), Port(9000), ("mtu",)),), ("links swp1 speed",))
PLAN = Plan(
    fabric="clos",
    intent="abc",
    waves=(("leaf02",), ("leaf01",)),
    changes={name: Change(name, replace(DELTA, node=name), STEPS) for name in ("leaf01", "leaf02")},
    equal=("leaf03",),
    unreached={"spine01": Problem("no route", "spine01")},
    unmanaged={"frr": ("pfc",), "linux": ()},
    unverified={"leaf01": DELTA.unverified},
    interim={1: (ERROR, ERROR)},
    affected={"leaf01": ("gpu01", "gpu02")},
)
RUN = Run(
    *("run-1", "apply", "clos", "/x", "digest", RunState.DONE, "t0", "t1", "me@here", False),
    (NodeRun("leaf01", 1, NodeState.LOST, "gone"), NodeRun("leaf02", 1, NodeState.DONE)),
)


class Reader(HTMLParser):
    """What a browser finds in a page: elements, text, tables by heading, and elements that are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.crossed, self.tables = [], [], [], [], {}
        self.row = []
        self.feed(text)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)
        if name == "h2":
            self.heading = None
        if name in {"td", "th"}:
            self.row.append("")

    def handle_endtag(self, name):
        if not self.open or self.open.pop() != name:
            self.crossed.append(name)
        if name == "tr":
            self.tables.setdefault(self.heading, []).append(self.row)
            self.row = []

    def handle_data(self, data):
        if self.open and self.open[-1] not in {"script", "style"}:
            self.texts.append(data)
        if "h2" in self.open and self.heading is None:
            self.heading = data.strip()
        if self.row and {"td", "th"} & set(self.open):
            self.row[-1] += data

    def rows(self, heading):
        """The rows of a table as a dict by column; columns in which nothing is said are not there."""
        head, *rows = self.tables[heading]
        return [dict(zip(head, row, strict=True)) for row in rows]

    def named(self, name):
        return [attributes for found, attributes in self.elements if found == name]

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


@pytest.fixture(scope="module")
def html():
    return report("html", color=True)


@pytest.fixture(scope="module")
def pages(clos, inventory, html):
    """A page of each kind, by name."""
    small, lab = clos(), inventory("lab")
    found = Verification(
        "clos", (FAILED, CheckResult("links.up", "leaf02", Status.PASS, "up")), (ERROR,), ("leaf01 links swp1 mtu",)
    )
    return {
        "findings": html.findings(small, [ERROR]),
        "design": html.design(lab),
        "listing": html.listing(lab),
        "node": html.node(lab, "leaf01", why=True),
        "plan": html.plan(small, PLAN, "/x/fabric.yaml", frozenset({"links"})),
        "run": html.run(RUN),
        "runs": html.runs([RUN]),
        "verification": html.verification(small, found),
        "rows": html.rows("lab clos", ("node", "state"), [("leaf01", "up")]),
    }


KINDS = ("findings", "design", "listing", "node", "plan", "run", "runs", "verification", "rows")


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_and_closes_what_it_opens(pages, kind):
    text = pages[kind]
    read = Reader(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert (read.open, read.crossed) == ([], [])
    assert read.named("title")
    assert len(read.named("h1")) == len(read.named("main")) == len(read.named("header")) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_loads_nothing_and_runs_only_its_own(pages, kind):
    text = pages[kind]
    read = Reader(text)
    names = {name for _, attributes in read.elements for name in attributes}
    assert not names & {"src", "href", "style", "srcset", "action", "data", "background"}
    assert not [name for name in names if name.startswith("on")]
    assert not {name for name, _ in read.elements} & {"link", "img", "iframe", "object", "base", "form", "image", "use"}
    assert not re.findall(r"url\(|@import|https?:(?!//www\.w3\.org/2000/svg)", text)
    (policy,) = (m["content"] for m in read.named("meta") if m.get("http-equiv") == "Content-Security-Policy")
    said = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert said.pop("default-src") == said.pop("base-uri") == said.pop("form-action") == "'none'"
    for name, element in (("style-src", "style"), ("script-src", "script")):
        (inner,) = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        assert said.pop(name) == f"'sha256-{b64encode(sha256(inner.encode()).digest()).decode()}'"
    assert said == {}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_says_the_same_each_time(pages, kind, html, clos):
    assert "\r" not in pages[kind]
    assert html.findings(clos(), [ERROR]) == html.findings(clos(), [ERROR])


def test_no_word_of_a_device_becomes_markup(html, clos):
    design = replace(clos(names={"leaf01": HOSTILE}), fabric=HOSTILE)
    finding = Finding(
        HOSTILE, Severity.ERROR, f"{HOSTILE}.links", HOSTILE, HOSTILE, HOSTILE, HOSTILE, Place(HOSTILE, 1, 1)
    )
    results = (CheckResult(HOSTILE, HOSTILE, Status.FAIL, HOSTILE, HOSTILE, HOSTILE),)
    change = Change(HOSTILE, Delta(HOSTILE, (RowDelta("links", HOSTILE, HOSTILE, None),)), STEPS)
    plan = Plan(
        HOSTILE, "", ((HOSTILE,),), {HOSTILE: change}, (), {HOSTILE: Problem(HOSTILE)}, affected={HOSTILE: (HOSTILE,)}
    )
    run = replace(RUN, fabric=HOSTILE, by=HOSTILE, nodes=(NodeRun(HOSTILE, 1, NodeState.LOST, HOSTILE),))
    texts = (
        html.findings(design, [finding]),
        html.verification(design, Verification(HOSTILE, results, (finding,), (HOSTILE,))),
        html.plan(design, plan, HOSTILE, frozenset({HOSTILE})),
        html.design(design),
        html.listing(design),
        html.node(design, HOSTILE, why=True),
        html.run(run),
        html.runs([run]),
        html.rows(HOSTILE, (HOSTILE,), [(HOSTILE,)]),
    )
    for text in texts:
        read = Reader(text)
        assert len(read.named("script")) == 1
        assert read.named("img") == []
        assert (read.open, read.crossed) == ([], [])
        assert "<script>alert(1)</script>" in read.text
        assert not re.search("[\x1b\ud800\u202e]", text)
        assert text.encode()


@pytest.mark.parametrize(
    ("findings", "verdict"),
    [
        ((), "Sound: every rule is met"),
        ((ERROR,), "Not sound: 1 error to correct before anything is rendered or applied"),
        ((replace(ERROR, severity=Severity.WARNING),), "Sound, with 1 warning"),
        ((replace(ERROR, severity=Severity.NOTE),) * 2, "Sound, with 2 notes"),
        ((replace(ERROR, waived="known"),), "Sound: every rule is met"),
    ],
    ids=["none", "error", "warning", "notes", "accepted"],
)
def test_the_verdict_on_a_file_stands_at_the_top(html, clos, findings, verdict):
    assert verdict in Reader(html.findings(clos(), findings)).text


def test_a_finding_says_all_that_is_known_of_it(html, clos):
    full = replace(ERROR, place=Place("f.yaml", 3, 5), also=("leaf02",), waived="known", until=date(2027, 6, 30))
    read = Reader(html.findings(clos(), [full, replace(ERROR, severity=Severity.NOTE), ERROR]))
    first, second, third = read.rows("Findings")
    assert first["waived"] == ""
    assert (first["severity"], second["severity"]) == ("error", "note")
    assert third == {
        "severity": "error",
        "rule": "links.mtu",
        "where": "f.yaml:3:5",
        "object": "leaf01.links.swp1, leaf02",
        "message": "MTU differs",
        "measured": "1500",
        "bound": "9000",
        "fix": "raise it",
        "waived": "known (until 2027-06-30)",
    }


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ((FAILED,), "Not as designed: 1 check result and 0 rule errors to look at"),
        ((CheckResult("a.b", "leaf01", Status.SKIP, "no"),), "Not everything could be looked at"),
        ((CheckResult("a.b", "leaf01", Status.SKIP, "no", announced=True),), "nothing that was looked at is wrong"),
        ((), "Nothing was looked at"),
    ],
    ids=["fail", "skip", "announced", "nothing"],
)
def test_the_verdict_on_devices_stands_at_the_top(html, clos, found, verdict):
    assert verdict in Reader(html.verification(clos(), Verification("clos", found))).text


def test_results_that_failed_come_first_and_say_what_was_expected(pages):
    first, second = Reader(pages["verification"]).rows("Results")
    assert first == {
        "status": "fail",
        "check": "links.up",
        "where": "leaf01:swp2",
        "message": "down",
        "expected": "up",
        "found": "no light",
    }
    assert second["status"] == "pass"
    assert Reader(pages["verification"]).rows("Not verified") == [
        {"node": "leaf01", "state": "could not be read", "message": "links mtu (1)"}
    ]


def test_a_plan_shows_waves_harm_differences_and_what_was_not_read(pages):
    read = Reader(pages["plan"])
    assert "1 node could not be read; 2 nodes to change (/x/fabric.yaml; only links)" in read.text
    first, second = read.rows("Changes")
    assert (first["node"], first["wave"], first["affected"]) == ("leaf02", "1", "")
    assert second == {
        "node": "leaf01",
        "wave": "2",
        "impact": "flap",
        "differences": "1",
        "impact of the undo": "hitless",
        "why": "flap: flap it (run ip link ...)",
        "affected": "gpu01, gpu02",
    }
    assert read.rows("Differences")[0] == {
        "nodes": "leaf01",
        "facet": "links",
        "key": "swp1",
        "change": "mtu 1500 -> 9000",
    }
    assert read.rows("Not met between waves")[0]["rule"] == "links.mtu"
    assert [row["state"] for row in read.rows("Not read")] == ["not reached", "not managed", "could not be read"]


def test_differences_of_more_nodes_than_a_page_holds_stand_together(html, clos):
    names = [f"leaf{at:03}" for at in range(1, 1002)]
    changes = {name: Change(name, replace(DELTA, node=name), Steps()) for name in names}
    read = Reader(html.plan(clos(), Plan("clos", "", (tuple(names),), changes), "/x", frozenset()))
    assert [row["nodes"] for row in read.rows("Differences")] == ["leaf001 .. leaf1001 (1001)"]


def test_a_plan_without_changes_says_so(html, clos):
    read = Reader(html.plan(clos(), Plan("clos", "", (), {}, ("leaf01",)), "/x", frozenset()))
    assert "No changes: every node that was read is set as designed" in read.text
    assert "None." in read.text


def test_a_design_shows_each_kind_and_each_node(pages):
    read = Reader(pages["design"])
    assert [row["nodes"] for row in read.rows("Kinds of nodes")][1] == "leaf01 .. leaf04 (4)"
    assert [row["node"] for row in read.rows("Nodes")][:2] == ["spine01", "spine02"]
    assert [row["class"] for row in read.rows("Classes")] == ["rdma", "bulk", "cnp", "default"]
    assert "Cables" not in read.tables
    assert len(Reader(pages["listing"]).rows("Cables")) == 16


def test_a_node_shows_its_settings_and_where_they_come_from(pages):
    read = Reader(pages["node"])
    assert read.rows("Cables")[0]["to"] == "spine01:swp1"
    asn = next(row for row in read.rows("Settings") if row["key"] == "router")
    assert "asn 65101" in asn["value"]
    assert "fabric.yaml:" in asn["why"]
    assert read.named("svg") == []


def test_runs_and_plain_rows_are_tables(pages):
    assert Reader(pages["run"]).rows("Nodes")[0] == {"wave": "1", "node": "leaf01", "state": "lost", "message": "gone"}
    assert Reader(pages["runs"]).rows("Runs")[0]["nodes"] == "1 lost, 1 done"
    assert Reader(pages["rows"]).rows("lab clos") == [{"node": "leaf01", "state": "up"}]


@pytest.mark.parametrize(
    ("state", "alive", "node", "shown"),
    [
        (RunState.DONE, False, NodeState.DONE, "ok"),
        (RunState.RUNNING, True, NodeState.WRITING, "changed"),
        (RunState.RUNNING, False, NodeState.WRITTEN, "warning"),
        (RunState.STOPPED, False, NodeState.FAILED, "error"),
    ],
    ids=["done", "running", "killed", "failed"],
)
def test_a_run_is_coloured_by_how_it_ended(html, state, alive, node, shown):
    text = html.run(replace(RUN, state=state, alive=alive, nodes=(NodeRun("leaf01", 1, node),)))
    assert Reader(text).named("p")[0]["class"] == f"verdict {shown}"


def test_a_page_of_1344_nodes_that_all_fail_stays_small(html, clos):
    design = clos(**BIG)
    assert len(design.network.nodes) == 1344
    results = tuple(
        CheckResult(check, str(end), status, f"{link.a} to {link.b} is not up: no light", "up", "down")
        for link in design.network.links
        for end in (link.a, link.b)
        for check, status in (("links.up", Status.FAIL), ("cabling.lldp", Status.PASS))
    )
    findings = tuple(replace(ERROR, path=f"{name}.links") for name in design.network.nodes)
    text = html.verification(design, Verification("clos", results, findings))
    assert len(text.encode()) < 3_000_000
    assert f"{len(results) // 2:,} results that passed are counted above" in text
    assert "further pairs of nodes have links that are not as they should be" in text


def test_of_very_many_results_the_first_of_each_check_are_shown(html, clos):
    many = tuple(
        replace(FAILED, at=f"leaf01:swp{at}", check=check) for check in ("links.up", "a.b") for at in range(600)
    )
    read = Reader(html.verification(clos(), Verification("clos", many)))
    found = read.rows("Results")
    assert [row["where"] for row in found if "more" in row["where"]] == ["350 more places", "350 more places"]
    assert len(found) == 2 * 251


def test_rows_beyond_what_a_page_holds_are_counted(html):
    text = html.rows("many", ("a",), [(str(n),) for n in range(3005)])
    assert len(Reader(text).rows("many")) == 3000
    assert "5 more rows are not shown here" in text


def test_a_page_is_written_to_a_file(fabric, tmp_path, inventory):
    out = tmp_path / "page.html"
    ended = fabric("validate", "inventories/lab", "--format", "html", "-o", out)
    assert (ended.code, ended.out) == (0, "")
    read = Reader(out.read_text("utf-8"))
    assert len([a for a in read.named("rect") if "data-node" in a]) == len(inventory("lab").network.nodes)
    ended = fabric("show", "-f", "inventories/lab", "--format", "html")
    assert ended.out.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(("command", "code"), [("plan", 5), ("verify", 4)])
def test_what_was_found_on_devices_is_written_to_a_file_too(fabric, tmp_path, command, code):
    save(Recording("lab", {}), tmp_path / "kept", str)  # nobody has said anything
    out = tmp_path / "page.html"
    ended = fabric(command, "inventories/lab", "--against", tmp_path / "kept", "--format", "html", "-o", out)
    assert (ended.code, ended.out) == (code, "")
    read = Reader(out.read_text("utf-8"))
    shown = [a["class"].split()[1] for a in read.named("rect") if "data-node" in a]
    assert shown == ["error"] * 10


def luminance(color):
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The ratio of WCAG 2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def themes():
    css = (files("fabric.report") / "html" / "page.css").read_text("utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part)) for part in (light, dark)]


MARKS = ("ok", "error", "warning", "changed", "skip", "note", "maintenance", "planned", "unseen", "plain")


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark"])
def test_text_can_be_read_and_signs_can_be_seen(theme):
    for mark in MARKS:
        assert contrast(theme[f"{mark}-text"], theme[f"{mark}-fill"]) >= 4.5, mark
        assert contrast(theme["text"], theme[f"{mark}-fill"]) >= 4.5, mark
        for ground in ("panel", "block", "pod", f"{mark}-fill"):
            assert contrast(theme[f"{mark}-line"], theme[ground]) >= 3, (mark, ground)
    for ground in ("page", "panel", "stripe", "block", "pod", "trunk"):
        assert contrast(theme["text"], theme[ground]) >= 4.5, ground
        assert contrast(theme["soft"], theme[ground]) >= 4.5, ground
    for tier in range(5):
        assert contrast(theme["text"], theme[f"tier{tier}"]) >= 4.5
    assert contrast(theme["accent"], theme["panel"]) >= 3


def test_both_themes_give_every_colour():
    light, dark = themes()
    assert set(light) == set(dark)


def test_what_is_not_shown_is_not_said_to_be_nothing(clos, html):
    said = Reader(html.findings(clos(), [], least=Severity.WARNING)).text
    assert "Sound: no warning is open, and less is not shown" in said

"""Comments for merge requests, as a Markdown parser that is not ours reads them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from fabric.design.model import Design
from fabric.errors import Problem, UsageError
from fabric.places import Place
from fabric.report.md_format import MOST, plain
from fabric.report.style import report
from fabric.results import CheckResult, Finding, Severity, Status, Verification
from fabric.rules.runner import rules
from fabric.settings.network import Network

DESIGN = Design("lab", Network({}, ()), (), 9000, (), {})
ERROR = Finding(
    "links.mtu",
    Severity.ERROR,
    "leaf01.links.swp1",
    "MTU differs",
    "1500",
    "9000",
    "raise it",
    Place("fabric.yaml", 14, 5),
)
NOTE = replace(ERROR, rule="systems.not-listed", severity=Severity.NOTE, path="leaf02")
WAIVED = replace(ERROR, path="leaf03", waived="bought like this", until=date(2027, 6, 30))


@pytest.fixture
def md():
    return report("md", color=False)


def rendered(text):
    return MarkdownIt("commonmark").enable("table").render(text)


def cells(text):
    return [re.sub(r"<[^>]+>", " ", each).strip() for each in re.findall(r"<td[^>]*>(.*?)</td>", text, re.DOTALL)]


def test_the_verdict_comes_first_and_open_findings_stand_in_a_table(md):
    said = md.findings(DESIGN, [ERROR], rules())
    page = rendered(said)
    assert "<h3>fabric validate: lab</h3>" in page
    assert "<strong>1 error, 0 warnings, 0 notes</strong>" in page
    assert f"Judged by {len(rules())} rules." in said
    error, rule, where, what, fix = cells(page)
    assert (error, rule, where, fix) == ("error", "links.mtu", "fabric.yaml:14:5", "raise it")
    assert what.split() == ["MTU", "differs", "leaf01.links.swp1:", "measured", "1500,", "bound", "9000"]


def test_notes_and_what_is_waived_are_folded_away_with_their_number(md):
    said = md.findings(DESIGN, [ERROR, NOTE, WAIVED])
    assert said.index("| error |") < said.index("<details><summary>Notes (1)</summary>")
    assert said.index("Notes (1)") < said.index("<details><summary>Waived (1)</summary>")
    assert "bought like this (until 2027-06-30)" in said
    assert said.count("<details>") == said.count("</details>") == 2


def test_a_sound_fabric_has_no_table(md):
    assert md.findings(DESIGN, []) == "### fabric validate: lab\n\n**0 errors, 0 warnings, 0 notes**\n"


def test_a_verification_shows_what_failed_and_folds_what_could_not_be_looked_at(md):
    results = (
        CheckResult("links.up", "leaf01:swp1", Status.PASS, "up"),
        CheckResult("links.up", "leaf01:swp2", Status.FAIL, "down", "up", "down"),
        CheckResult("cabling.lldp", "leaf01", Status.SKIP, "no LLDP"),
    )
    said = md.verification(DESIGN, Verification("lab", results, (ERROR,)))
    assert "1 check result passed; rules: 1 error, 0 warnings, 0 notes" in said
    assert "| fail | `links.up` | leaf01:swp2 | down (expected up, found down) |" in said
    assert said.index("links.mtu") < said.index("<details><summary>Could not look (1)</summary>")


def test_a_file_that_cannot_be_judged_is_a_table_of_errors(md):
    said = md.problems("fabric.yaml", [Problem("unknown key `a|b`", "fabric.yaml:9:3", "did you mean ab?")])
    assert cells(rendered(said)) == ["fabric.yaml:9:3", "unknown key `a|b`", "did you mean ab?"]


@settings(deadline=None)  # the first call loads a parser
@given(st.text())
def test_no_text_breaks_the_table(text):
    said = report("md", color=False).findings(DESIGN, [replace(ERROR, message=text, fix=text, path=f"x{text}")])
    rows = [line for line in said.splitlines() if line.startswith("| error")]
    assert len(rows) == 1
    assert len(re.findall(r"(?<!\\)\|", re.sub(r"\\\\", "", rows[0]))) == 6


def test_signs_of_markdown_are_taken_as_text():
    assert rendered(plain("<b> *a* _b_ `c` [d](e) a&amp;b")) == "<p>&lt;b&gt; *a* _b_ `c` [d](e) a&amp;amp;b</p>\n"


def test_a_comment_that_code_hosts_would_not_take_is_cut_between_rows_and_says_so(md):
    many = [replace(NOTE, path=f"leaf{number}", fix="x" * 100) for number in range(1000)]
    said = md.findings(DESIGN, many)
    assert len(said) < MOST + 200
    left = int(re.search(r"\n([\d,]+) more rows do not fit here", said)[1].replace(",", ""))
    assert said.count("| note |") + left == 1000
    assert said.count("<details>") == said.count("</details>") == 1


def test_what_is_no_verdict_is_refused(md):
    for ask in (
        lambda: md.design(DESIGN),
        lambda: md.plan(DESIGN, None, "/x", frozenset()),
        lambda: md.rows("lab", ("a",), []),
    ):
        with pytest.raises(UsageError, match="md cannot say"):
            ask()

"""`fabric validate`: which rules judge, what is shown of what they say, and what the exit code hangs on."""

from __future__ import annotations

import json
import re

import pytest

from fabric.results import ExitCode
from fabric.rules.contract import SECTIONS
from fabric.rules.runner import rules

USUAL = [rule.id for rule in rules() if not rule.on_request]
PAGE = "Leaves have names.\n\n" + "\n\n".join(f"{title}\n    Text." for title in SECTIONS)
OWN = f'''"""{PAGE}
"""
from fabric.results import Severity
from fabric.rules.contract import Violation

SEVERITY = Severity.ERROR


def check(network):
    for name in network.nodes:
        if name.startswith("leaf"):
            yield Violation(name, "is called leaf", "leaf", "a name of its own", "rename it")
'''


@pytest.fixture
def wrong(intent):
    """A lab with an error (pools that overlap), and notes."""
    return intent("links: unnumbered", "links: 10.64.0.0/16")


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "own" / "site" / "leaf_names.py"
    file.parent.mkdir(parents=True)
    file.write_text(OWN)
    return tmp_path / "own"


def found(ended):
    document = json.loads(ended.out)
    return {each["rule"] for each in document["findings"]}, document["rules"]


def test_all_usual_rules_judge_and_nothing_is_said_of_it(fabric, inventory):
    ended = fabric("validate", inventory("lab"), "--format", "json")
    assert ended.err == ""
    assert found(ended)[1] == USUAL


@pytest.mark.parametrize(
    ("options", "ran"),
    [
        (("--select", "links.mtu,ecn.tiny"), ["ecn.tiny", "links.mtu"]),
        (("--select", "links.mtu", "--select", " ecn.tiny ,"), ["ecn.tiny", "links.mtu"]),
        (("--select", "jobs.*"), [name for name in USUAL if name.startswith("jobs.")]),
        (("--select", "links.mtu,ecn.tiny", "--ignore", "ecn.*"), ["links.mtu"]),
        (("--ignore", "*.*", "--ignore", "links.mtu"), None),
        (("--ignore", "a*,b*,c*"), [name for name in USUAL if name[0] not in "abc"]),
    ],
    ids=["list", "repeated", "pattern", "ignore-goes-first", "none-left", "ignored-patterns"],
)
def test_rules_are_chosen_by_lists_patterns_and_repeated_options(fabric, inventory, options, ran):
    ended = fabric("validate", inventory("lab"), "--format", "json", *options)
    if ran is None:
        assert (ended.code, ended.out) == (ExitCode.USAGE, "")
        assert "no rule is left" in ended.err
    else:
        assert ended.code == 0
        assert found(ended)[1] == ran
        assert ended.err == f"judged by {len(ran)} of {len(rules())} rules\n"


def test_a_rule_on_request_runs_where_it_is_named(fabric, inventory):
    asked = [rule.id for rule in rules() if rule.on_request]
    if asked:
        assert found(fabric("validate", inventory("lab"), "--format", "json", "--select", asked[0]))[1] == asked[:1]
    assert not set(asked) & set(USUAL)


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize(("name", "hint"), [("links.mtuu", "links.mtu"), ("links", "links.*"), ("A03", "pool-overlap")])
def test_a_name_of_no_rule_is_wrong_usage_with_the_nearest_names(fabric, inventory, option, name, hint):
    ended = fabric("validate", inventory("lab"), option, name)
    assert (ended.code, ended.out) == (ExitCode.USAGE, "")
    assert f"there is no rule '{name}'" in ended.err
    assert hint in ended.err.partition("hint:")[2]


def test_what_is_less_is_not_shown_and_counted_and_the_exit_code_stays(fabric, wrong):
    every = json.loads(fabric("validate", wrong, "--format", "json").out)["findings"]
    ended = fabric("validate", wrong, "--format", "json", "--severity", "error")
    shown = json.loads(ended.out)["findings"]
    assert ended.code == ExitCode.INTENT
    assert {each["severity"] for each in shown} == {"error"}
    assert {each["severity"] for each in every} > {"error"}
    hidden = len(every) - len(shown)
    assert ended.err == f"not shown: {hidden} finding{'' if hidden == 1 else 's'} of less than error\n"
    assert fabric("validate", wrong, "--severity", "note").err == ""


def test_a_file_with_warnings_only_is_sound_whatever_is_shown(fabric, inventory):
    ended = fabric("validate", inventory("lab"), "--severity", "error")
    assert (ended.code, ended.out) == (0, "lab: 0 errors\n")


def test_the_exit_code_hangs_on_the_rules_that_are_chosen(fabric, wrong):
    assert fabric("validate", wrong, "--ignore", "addressing.pool-overlap").code == 0
    assert fabric("validate", wrong, "--select", "links.mtu").code == 0
    assert fabric("validate", wrong, "--select", "addressing.*").code == ExitCode.INTENT


def test_a_severity_that_there_is_not_is_wrong_usage(fabric, inventory):
    ended = fabric("validate", inventory("lab"), "--severity", "bad")
    assert ended.code == ExitCode.USAGE
    assert "'error', 'warning', 'note'" in ended.err


@pytest.mark.parametrize("format_", ["sarif", "md"])
def test_a_format_of_verdicts_is_for_files_that_cannot_be_judged_too(fabric, intent, format_):
    path = intent("  mtu: 9000", "  mtuu: 9000")
    ended = fabric("validate", path, "--format", format_)
    assert ended.code == ExitCode.INTENT
    assert "mtuu" in ended.out


@pytest.mark.parametrize("format_", ["table", "json", "junit", "html", "sarif", "md"])
def test_every_format_says_the_reason_of_a_waiver(fabric, wrong, format_):
    text = wrong.read_text() + "waivers: [{rule: topology.losing-one-spine, at: '*', reason: an old test bed}]\n"
    wrong.write_text(text.replace("links: 10.64.0.0/16", "links: unnumbered"))
    ended = fabric("validate", wrong, "--format", format_)
    assert ended.code == 0
    assert "an old test bed" in ended.out
    assert "waivers.no-end" in ended.out


def test_a_waiver_does_not_become_unused_by_what_is_chosen(fabric, wrong):
    text = wrong.read_text() + "waivers: [{rule: addressing.pool-overlap, at: '*', reason: old, until: 2999-01-01}]\n"
    wrong.write_text(text)
    assert fabric("validate", wrong).code == 0
    assert "waivers." not in fabric("validate", wrong, "--select", "waivers.*,links.*").out
    ended = fabric("validate", wrong, "--select", "addressing.*")
    assert (ended.code, "waived: old" in ended.out) == (0, True)


def test_rules_of_a_folder_judge_with_ours(fabric, inventory, own):
    ended = fabric("validate", inventory("lab"), "--rules", own)
    assert ended.code == ExitCode.INTENT
    assert "error[site.leaf-names]" in ended.out
    assert "likewise 3 more: leaf02, leaf03, leaf04" in ended.out
    alone = fabric("validate", inventory("lab"), "--rules", own, "--select", "site.*", "--format", "json")
    assert found(alone) == ({"site.leaf-names"}, ["site.leaf-names"])
    assert alone.err == f"judged by 1 of {len(rules()) + 1} rules\n"


def test_rules_of_a_folder_are_waived_and_reported_like_ours(fabric, intent, own):
    path = intent()
    path.write_text(path.read_text() + "waivers: [{rule: site.leaf-names, at: 'leaf*', reason: ours are called so}]\n")
    log = json.loads(fabric("validate", path, "--rules", own, "--format", "sarif").out)["runs"][0]
    described = {each["id"]: each for each in log["tool"]["driver"]["rules"]}
    assert described["site.leaf-names"]["shortDescription"]["text"] == "Leaves have names."
    (result,) = (each for each in log["results"] if each["ruleId"] == "site.leaf-names")
    assert result["suppressions"] == [{"kind": "inSource", "justification": "ours are called so"}]
    assert "waivers.unknown-rule" in fabric("validate", path).out


def test_a_file_that_is_no_rule_is_wrong_usage_with_its_line(fabric, inventory, own):
    (own / "site" / "broken.py").write_text("import no_such_module\n")
    ended = fabric("validate", inventory("lab"), "--rules", own)
    assert (ended.code, ended.out) == (ExitCode.USAGE, "")
    assert f"{own / 'site' / 'broken.py'}:1: it cannot be loaded" in ended.err
    assert fabric("validate", inventory("lab"), "--rules", own / "nowhere").code == ExitCode.USAGE


def test_a_rule_of_a_folder_that_raises_is_an_error_with_its_line(fabric, inventory, own):
    (own / "site" / "raises.py").write_text(OWN.replace("for name in network.nodes:", "for name in network.nothing:"))
    ended = fabric("validate", inventory("lab"), "--rules", own, "--select", "site.raises")
    assert ended.code == ExitCode.INTENT
    assert "the rule itself is broken (AttributeError" in ended.out
    assert re.search(r"fix: mend .*/site/raises.py:\d+\n", ended.out)


def test_the_page_of_a_rule_of_a_folder_is_explained(fabric, own):
    ended = fabric("explain", "site.leaf-names", "--rules", own)
    assert ended.code == 0
    assert ended.out.startswith("rule site.leaf-names (error)\n\nLeaves have names.\n\nWhat it does\n")
    assert f"from {own / 'site' / 'leaf_names.py'}" in ended.out
    assert "site.leaf-names" in fabric("explain", "--rules", own).out
    assert fabric("explain", "site.leaf-names").code == ExitCode.USAGE


def test_a_profile_is_talk_with_the_longest_first_and_the_sum_last(fabric, inventory):
    ended = fabric("validate", inventory("lab"), "--profile", "--format", "json")
    assert json.loads(ended.out)["kind"] == "findings"
    head, *lines = ended.err.splitlines()
    assert head.split() == ["part", "CPU", "ms", "share"]
    rows = [line.rsplit(maxsplit=2) for line in lines]
    parts = {name: float(ms.replace(",", "")) for name, ms, _ in rows}
    assert {"find the rules", "load the file", "design the fabric", *USUAL} | {"sum"} == set(parts)
    *times, whole = parts.values()
    assert times == sorted(times, reverse=True)
    assert whole == pytest.approx(sum(times), abs=0.1 * len(times))
    assert rows[-1] == ["sum", rows[-1][1], "100.0%"]


def test_a_profile_is_of_the_rules_that_are_chosen(fabric, inventory):
    ended = fabric("validate", inventory("lab"), "--profile", "--select", "links.mtu")
    assert len(ended.err.splitlines()) == 1 + 1 + 3 + 1 + 1

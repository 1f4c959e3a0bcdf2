"""The script that breaks rules: what it changes, what it leaves alone, and what it calls survived."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from fabric.errors import UsageError
from fabric.rules.runner import rules

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "mutate.py"
SPEC = spec_from_file_location("mutate", SCRIPT)
mutate = sys.modules[SPEC.name] = module_from_spec(SPEC)
SPEC.loader.exec_module(mutate)


def changed(text):
    return [ast.unparse(tree) for _, tree in mutate.changes(ast.parse(text))]


@pytest.mark.parametrize(
    ("text", "into"),
    [
        ("x < y", ["x <= y", "x > y"]),
        ("x >= y", ["x > y", "x <= y"]),
        ("x == y", ["x != y"]),
        ("x is None", ["x is not None"]),
        ("a < b < c", ["a <= b < c", "a > b < c", "a < b <= c", "a < b > c"]),
        ("a + b", ["a - b"]),
        ("a * b", ["a // b"]),
        ("a and b and c", ["a or b or c"]),
        ("not a", ["a"]),
        ("x = 7", ["x = 8", "x = 6"]),
        ("max(a, b)", ["min(a, b)"]),
    ],
)
def test_each_comparison_sum_and_number_is_broken_by_itself(text, into):
    assert changed(text) == into


@pytest.mark.parametrize(
    "text",
    [
        "'text'",
        "'a' + b",
        "x = True",
        "x: Literal[3]",
        "Violation(path=p, message=f'{a + b} of {len(c) - 1}', fix=f'write {a + 1}')",
        "@cache(maxsize=3)\ndef f():\n    return x",
    ],
)
def test_words_annotations_and_decorators_are_left_alone(text):
    assert changed(text) == []


def test_what_was_changed_is_named_with_its_line():
    found = [change for change, _ in mutate.changes(ast.parse("x = y\n\nif a < b - c:\n    pass\n"))]
    assert [(each.line, each.before, each.after) for each in found] == [
        (3, "a < b - c", "a <= b - c"),
        (3, "a < b - c", "a > b - c"),
        (3, "b - c", "b + c"),
    ]


def test_a_rule_whose_cases_are_thorough_has_no_survivors():
    done = mutate.outcome("waivers.no-end")
    assert (done.made > 0, done.survived, done.failing) == (True, (), ())


def test_a_change_that_no_case_notices_has_survived(monkeypatch):
    monkeypatch.setattr(mutate._loaded("rule_cases"), "KINDS", ("passing",))
    done = mutate.outcome("waivers.unknown-rule")
    assert done.survived
    assert set(done.survived) <= {change for change, _ in mutate.changes(ast.parse((ROOT / done.file).read_text()))}


def test_a_rule_without_cases_is_told(monkeypatch):
    monkeypatch.setattr(mutate._loaded("rule_cases"), "KINDS", ())
    assert mutate.outcome("waivers.no-end").failing == ("waivers.no-end",)


def test_the_modules_are_as_they_were_after_a_change():
    def ours():
        return {name: module for name, module in sys.modules.items() if name.startswith(mutate.OURS)}

    before = ours()
    mutate.outcome("lossless_queues")
    assert ours() == before


def test_what_rules_share_is_broken_under_all_that_use_it():
    shared = mutate.shared()
    assert {"spots", "tiers"} <= set(shared)
    assert not {"runner", "contract", "grouping", "waiving", "placing"} & set(shared)
    assert {rule.id for rule in shared["spots"]} >= {"cabling.breakout-mixed", "cabling.port-beyond-model"}


def test_what_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(mutate, "SECONDS", 0.05)

    def for_ever():
        with mutate.limited():
            while True:
                pass

    with pytest.raises(mutate.TooLongError):
        for_ever()


def test_names_are_rules_patterns_and_shared_modules():
    every = mutate.wanted([])
    assert [rule.id for rule in rules()] == every[: len(rules())]
    assert mutate.wanted(["spots", "waivers.*", "waivers.unused"])[0] == "spots"
    assert len(set(mutate.wanted(["waivers.*", "waivers.unused"]))) == len(mutate.wanted(["waivers.*"]))
    with pytest.raises(UsageError):
        mutate.wanted(["nothing"])


def test_it_runs_by_itself_and_prints_the_sum():
    done = subprocess.run([sys.executable, SCRIPT, "waivers.no-end"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("waivers.no-end: ")
    assert done.stdout.splitlines()[-1].startswith("1 files: ")
    wrong = subprocess.run([sys.executable, SCRIPT, "nothing"], capture_output=True, text=True, check=False)
    assert (wrong.returncode, "there is no rule 'nothing'" in wrong.stderr) == (2, True)

"""YAML 1.2 without tags, merging, further documents, deep nesting or growing aliases; problems have places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fabric.errors import Problem
from fabric.intent.loader import load
from fabric.intent.nodes import resolve

Problems = Callable[[object], tuple[Problem, ...]]


def said(found: tuple[Problem, ...]) -> list[str]:
    """Return problems as ``line:column message``."""
    return [f"{p.where.split(':', 1)[1]} {p.message}" for p in found]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "---\n", "--- ~\n", "null", "''"])
def test_an_empty_file_is_called_empty(problems: Problems, text: str) -> None:
    assert [p.message for p in problems(text)] == ["the file is empty"]


@pytest.mark.parametrize(
    ("text", "found"), [("- a\n", "a list"), ("hello\n", "a single value"), ("3", "a single value")]
)
def test_a_file_that_is_no_mapping_says_what_it_is(problems: Problems, text: str, found: str) -> None:
    assert [p.message for p in problems(text)] == [f"the file is not a mapping of keys: found {found}"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("fabric: [lab\n", 2),
        ("fabric: 'lab\n", 2),
        ("fabric: lab\n  x: 1\n", 2),
        ("\tfabric: lab\n", 1),
        ("fabric: lab: x\n", 1),
        ("a: @b\n", 1),
        ("{,}", 1),
        ("a: %b\n", 1),
        ("a: |x\n", 1),
        ('a: "\\q"\n', 1),
    ],
)
def test_what_is_no_yaml_is_placed(problems: Problems, text: str, line: int) -> None:
    found = problems(text)[-1]
    assert found.message.startswith("this is not YAML: ")
    assert found.where.split(":")[1] == str(line)
    assert found.hint == "check quotes, colons, brackets and indentation at this place"


def test_a_key_given_twice_names_both_places(problems: Problems, tmp_path: Path) -> None:
    found = problems("fabric: a\nclasses: {}\nfabric: b\n")
    assert "3:1 the key 'fabric' is given twice" in said(found)
    (twice,) = [p for p in found if "twice" in p.message]
    assert twice.hint == f"keep one; the first is at {tmp_path / 'fabric.yaml'}:1:1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "fabric: !!python/object:os.system x\n",
            "1:9 tags are not allowed, found 'tag:yaml.org,2002:python/object:os.syste'",
        ),
        ("fabric: !!str lab\n", "1:9 tags are not allowed, found 'tag:yaml.org,2002:str'"),
        ("fabric: !secret lab\n", "1:9 tags are not allowed, found '!secret'"),
        ("classes: !!set {a}\n", "1:10 tags are not allowed, found 'tag:yaml.org,2002:set'"),
        ("? [a, b]\n: c\n", "1:3 a key must be text, found a list or mapping"),
        ("1: x\n", "1:1 a key must be text, found 1"),
        ("true: x\n", "1:1 a key must be text, found true"),
        (": x\n", "1:1 a key must be text, found nothing"),
        ("<<: {a: 1}\n", "1:1 merging with << is not part of YAML 1.2"),
        ("fabric: *name\n", "1:9 the alias *name names no anchor above it"),
        ("classes: &c {a: *c}\n", "1:17 the alias *c contains itself"),
        ("%YAML 1.1\n---\nfabric: lab\n", "2:1 directives such as %YAML and %TAG are not supported"),
        ("%TAG ! tag:x,2000:\n---\nfabric: lab\n", "2:1 directives such as %YAML and %TAG are not supported"),
        ("fabric: lab\n---\nfabric: lab\n", "2:1 a second document begins"),
        ('fabric: "a\\nb"\n', "1:9 a value holds a line break"),
        ('fabric: "a\\tb"\n', "1:9 a value holds a tab"),
        ('fabric: "a\\0b"\n', "1:9 a value holds the character U+0000"),
        ('fabric: "a\\u202eb"\n', "1:9 a value holds the character U+202E"),
        ("fabric: |\n  lab\n", "1:9 a value holds a line break"),
        ("fabric:\nclasses: {}\n", "1:1 fabric has no value"),
        ("topology: {cables: [~]}\n", "1:21 topology.cables.0 has no value"),
    ],
)
def test_yaml_beyond_plain_data_is_refused(problems: Problems, text: str, message: str) -> None:
    assert message in said(problems(text))


def test_a_value_left_out_is_said_once(problems: Problems, valid: dict) -> None:
    valid["addressing"]["mtu"] = None
    assert [p.message for p in problems(valid)] == ["addressing.mtu has no value"]


def test_aliases_are_written_out_and_keep_their_places(write: Callable[[str], Path], inventories: Path) -> None:
    text = (inventories / "lab" / "fabric.yaml").read_text()
    text = text.replace("asn: {first: 65000, per: tier}", "asn: &as {first: 65000, per: tier}")
    text = text.replace("asn: {first: 65101, per: device}", "asn: *as")
    document = load(write(text))
    assert document.intent.topology.switches["leaf"].asn.first == 65000
    assert document.places["topology.switches.leaf.asn.first"].line == 6
    assert document.places["topology.switches.leaf.asn"].line == 7


def test_aliases_that_multiply_are_refused(problems: Problems) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert [p.message for p in problems("\n".join(lines))] == ["the aliases of the file make it too large"]


def test_aliases_that_deepen_are_refused(problems: Problems) -> None:
    lines = ["a0: &a0 x", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 40))]
    assert [p.message for p in problems("\n".join(lines))] == ["the aliases of the file make it too large"]


@pytest.mark.parametrize("opening", ["[", "{a: "])
def test_deep_nesting_is_refused(problems: Problems, opening: str) -> None:
    assert [p.message for p in problems("a: " + opening * 5000)] == ["the file is nested deeper than 20 levels"]


def test_too_many_values_are_refused(problems: Problems) -> None:
    (problem,) = problems("a: [" + "1," * 50_001 + "]")
    assert problem.message == "the file holds more than 50000 values"


def test_a_flood_of_problems_is_counted_and_not_listed(problems: Problems) -> None:
    found = problems("\n".join(f"key{n}: 1" for n in range(700)))
    assert len(found) == 501
    assert found[-1].message == "and 204 more problems"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("on", "on"),
        ("12", 12),
        ("-3", -3),
        ("012", 12),
        ("0o17", 15),
        ("0xff", 255),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("1/8", "1/8"),
        ("10G", "10G"),
        ("9" * 65, "9" * 65),
    ],
)
def test_plain_values_follow_yaml_1_2(text: str, value: object) -> None:
    found = resolve(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", ["010", "-07", "+00"])
def test_a_number_that_begins_with_zero_is_no_number(problems: Problems, text: str) -> None:
    assert f"the number {text} begins with 0" in {problem.message for problem in problems(f"fabric: {text}\n")}

"""Whatever the bytes: a document or an IntentError, never another exception."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from fabric.errors import IntentError
from fabric.intent.document import Document
from fabric.intent.loader import load, parse
from fabric.intent.schema import schema
from fabric.intent.source import Source

LAB = (Path(__file__).parents[2] / "inventories" / "lab" / "fabric.yaml").read_text()
LAB_DATA = YAML(typ="safe", pure=True).load(LAB)
SCHEMA = Draft202012Validator(schema())
FEW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def keys(part: object) -> Iterator[str]:
    """Yield every key of the language."""
    if isinstance(part, dict):
        yield from part.get("properties", {})
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from keys(inner)


WORDS = sorted({*keys(schema()), "leaf", "spine", "gpu", "default", "pod", "leaf01:swp1", "auto", "fd00::/32"})
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from(WORDS)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=25,
)
YAML_CHARACTERS = "ab 0:-?[]{},&*#!|>'\"%@`\n\t~<=.\\x"


def judged(text: str) -> Document | IntentError:
    """Return the document or the error; any other exception or warning fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return parse(Source("fabric.yaml", text, ""))
        except IntentError as error:
            refusal = error
    assert refusal.problems
    assert all(problem.message and problem.where for problem in refusal.problems)
    return refusal


@FEW
@given(st.binary(max_size=200))
def test_bytes(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_bytes(content)
    with pytest.raises(IntentError):
        load(file)


@FEW
@given(st.text(alphabet=YAML_CHARACTERS, max_size=60))
def test_texts_of_the_characters_that_mean_something_to_yaml(text: str) -> None:
    judged(text)


@FEW
@given(TREES)
def test_any_tree_of_words_of_the_language(tree: object) -> None:
    judged(json.dumps(tree))


@FEW
@given(
    st.integers(min_value=0, max_value=len(LAB)),
    st.integers(min_value=0, max_value=12),
    st.text(alphabet=YAML_CHARACTERS, max_size=8),
)
def test_the_lab_with_a_piece_replaced(start: int, length: int, piece: str) -> None:
    judged(LAB[:start] + piece + LAB[start + length :])


@FEW
@given(st.data())
def test_the_lab_with_a_value_replaced(data: st.DataObject) -> None:
    lines = LAB.splitlines()
    index = data.draw(st.integers(min_value=0, max_value=len(lines) - 1))
    key, colon, _ = lines[index].partition(":")
    lines[index] = f"{key}{colon} {json.dumps(data.draw(TREES))}"
    judged("\n".join(lines))


QUANTITIES = st.from_regex(r"[0-9]{1,4}(\.[0-9]|/[0-9])? ?(%|[kKMGT]i?B?|m?s|B)?", fullmatch=True)


@FEW
@given(st.data())
def test_what_loads_also_fits_the_schema_for_editors(data: st.DataObject) -> None:
    tree = copy.deepcopy(LAB_DATA)
    group, key = data.draw(st.sampled_from([("rdma", "dscp"), ("rdma", "share"), ("bulk", "limit"), ("bulk", "mark")]))
    tree["classes"][group][key] = data.draw(QUANTITIES | st.integers(0, 70) | st.lists(QUANTITIES, max_size=2))
    tree["classes"]["rdma"]["ecn"]["min"] = data.draw(QUANTITIES | st.just("auto"))
    tree["pfc"]["watchdog"]["detect"] = data.draw(QUANTITIES | st.just("200ms"))
    tree["buffers"] = {"alpha": data.draw(QUANTITIES | st.floats(0, 8))}
    if isinstance(judged(json.dumps(tree)), Document):
        assert list(SCHEMA.iter_errors(tree)) == []


@pytest.mark.parametrize(
    "text",
    [
        '"\\UFFFFFFFF": 1',
        '"\\xZZ"',
        "&",
        "*",
        "!<",
        "%YAML 9.9\n---\n",
        "- - - ? : -",
        "? ",
        "a: 'b\n\n...",
        "{? a",
        "!!int",
        "|-9\n x",
        "&a &b c",
        "&a *a",
        "%YAML x\n--- ",
        "a: !!binary |\n  R0lG",
    ],
)
def test_texts_that_parsers_stumble_over(text: str) -> None:
    assert isinstance(judged(text), IntentError)


def test_the_lab_itself_is_a_document() -> None:
    assert isinstance(judged(LAB), Document)

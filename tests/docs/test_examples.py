"""Every YAML block of a page loads, designs and passes the rules, alone or laid over a file to begin with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from ruamel.yaml import YAML

from fabric.design.build import design
from fabric.intent.loader import load
from fabric.rules.contract import Subjects
from fabric.rules.runner import run

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(
    r"^(?P<indent> *)<!-- (?P<kind>fabric|file): (?P<what>[^>]+?) -->\n *```\w+\n(?P<text>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
YAML_BLOCK = re.compile(r"(?P<before>.*)\n *```yaml\n")
CHECKED_ELSEWHERE = "<!-- not a fabric file -->"


class Example(NamedTuple):
    page: str
    number: int
    base: str
    replaced: tuple[str, ...]
    finds: tuple[str, ...]
    text: str
    files: dict[str, str]


def _examples() -> Iterator[Example]:
    for path in sorted(DOCS.rglob("*.md")):
        files: dict[str, str] = {}
        for number, found in enumerate(BLOCK.finditer(path.read_text(encoding="utf-8")), 1):
            text = dedent(found["text"])
            if found["kind"] == "file":
                files[found["what"]] = text
                continue
            base, _, rest = found["what"].partition(" ")
            said = dict(part.split("=") for part in rest.split())
            replaced, finds = (tuple(filter(None, said.get(name, "").split(","))) for name in ("replace", "finds"))
            yield Example(str(path.relative_to(DOCS)), number, base, replaced, finds, text, dict(files))


EXAMPLES = list(_examples())


def _base(name: str) -> Any:
    at = ROOT / "fabric" / "workflows" / "presets" / f"{name}.yaml"
    at = at if at.exists() else ROOT / "inventories" / name / "fabric.yaml"
    return _read(at.read_text(encoding="utf-8"))


def _read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def _laid(base: Any, over: Any, replaced: tuple[str, ...], at: str = "") -> Any:
    if not isinstance(base, dict) or not isinstance(over, dict) or at in replaced:
        return over
    return base | {key: _laid(base.get(key), value, replaced, f"{at}.{key}".lstrip(".")) for key, value in over.items()}


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{each.page}-{each.number}" for each in EXAMPLES])
def test_the_example_is_a_fabric_that_stands(example: Example, tmp_path: Path) -> None:
    whole = _read(example.text)
    if example.base != "whole":
        whole = _laid(_base(example.base), whole, example.replaced)
    for name, text in example.files.items():
        (tmp_path / name).write_text(text)
    with (tmp_path / "fabric.yaml").open("w") as out:
        YAML(typ="safe", pure=True).dump(whole, out)
    document = load(tmp_path)
    made = design(document)
    findings = run(Subjects(document=document, design=made))
    stopped = [(each.rule, each.message) for each in findings if each.stops]
    assert [each for each in stopped if each[0] not in example.finds] == []
    assert set(example.finds) <= {rule for rule, _ in stopped}


def test_no_yaml_block_goes_unchecked() -> None:
    loose = [
        (str(path.relative_to(DOCS)), found["before"])
        for path in sorted(DOCS.rglob("*.md"))
        for found in YAML_BLOCK.finditer(path.read_text(encoding="utf-8"))
        if not found["before"].strip().startswith(("<!-- fabric: ", CHECKED_ELSEWHERE))
    ]
    assert loose == []


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "keys").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_examples_of_keys_stand_in_files_that_design(path: Path) -> None:
    assert design(load(path)).network.nodes

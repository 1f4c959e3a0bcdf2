"""Options, commands, keys and files that pages name are there; and all that is there has its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from fabric.cli.main import app
from fabric.intent.schema import schema
from fabric.rules.runner import rules
from fabric.workflows.keys import find, keys

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
# The design tells what is to come, and says so at its head.
TO_COME = {"architecture.md"}
CODE = re.compile(r"```.*?```|`([^`\n]+)`", re.DOTALL)
TYPED = re.compile(r"^(?:\$ )?fabric ([a-z]+(?: (?:up|down|status|shell|fault))?)([^\n#]*)", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
SECTIONS = tuple(schema()["properties"])


def _commands() -> Iterator[tuple[str, Any]]:
    def walk(words: str, found: Any) -> Iterator[tuple[str, Any]]:
        for name, each in getattr(found, "commands", {}).items():
            yield from walk(f"{words} {name}".strip(), each)
        if not hasattr(found, "commands"):
            yield words, found

    return walk("", get_command(app()))


COMMANDS = dict(_commands())
OPTIONS = {
    name: {opt for each in found.params for opt in (*each.opts, *each.secondary_opts)}
    for name, found in COMMANDS.items()
}
EVERY = set().union(*OPTIONS.values()) | {"--help", "--version"}
# Options of other programs that pages name.
OTHERS = {"--strict"}


def _spans(text: str) -> list[str]:
    return [found[1] for found in CODE.finditer(text) if found[1]]


def _typed(block: str) -> str:
    """Return what a user types in a block: all of it, or the lines after a prompt."""
    lines = block.splitlines()
    return "\n".join(line for line in lines if line.startswith("$ ")) if "```console" in lines[0] else block


def test_every_option_in_the_text_exists(written: dict[str, str]) -> None:
    unknown = [
        (page, option)
        for page, text in written.items()
        if page not in TO_COME
        for span in _spans(text)
        for option in OPTION.findall(span)
        if option not in EVERY | OTHERS
    ]
    assert unknown == []


def test_every_command_typed_on_a_page_takes_the_options_it_is_given(written: dict[str, str]) -> None:
    wrong = []
    for page, text in written.items():
        if page in TO_COME:
            continue
        blocks = [_typed(found[0]) for found in CODE.finditer(text) if found[0].startswith("```")]
        spans = [span for span in _spans(text) if span.startswith("fabric ")]
        for words, rest in (found for part in (*blocks, *spans) for found in TYPED.findall(part)):
            command = words if words in COMMANDS else words.partition(" ")[0]
            given = set(OPTION.findall(rest.partition(";")[0].partition("|")[0]))
            if command not in COMMANDS or given - OPTIONS[command] - {"--help"}:
                wrong.append((page, words, rest))
    assert wrong == []


def test_every_dotted_key_in_the_text_exists(written: dict[str, str]) -> None:
    known = {rule.id for rule in rules()}
    dotted = re.compile(rf"(?:{'|'.join(SECTIONS)})(?:\.[A-Za-z0-9_-]+)+")
    unknown = [
        (page, span)
        for page, text in written.items()
        for span in _spans(text)
        if page not in TO_COME
        and dotted.fullmatch(span)
        and not span.endswith((".csv", ".yaml", ".json"))
        and not any(path.startswith(f"{span}.") for path in keys())
        and find(span) is None
        and span not in known
    ]
    assert unknown == []


def test_every_file_of_the_repository_that_the_text_names_exists(written: dict[str, str]) -> None:
    path = re.compile(r"(?:fabric|scripts|inventories|tests|templates)/[\w./-]+")
    missing = [
        (page, span)
        for page, text in written.items()
        if page not in TO_COME
        for span in _spans(text)
        if path.fullmatch(span) and "<" not in span and not (ROOT / span).exists()
    ]
    assert missing == []


def test_every_command_has_its_part_of_the_reference() -> None:
    page = (REFERENCE / "commands.md").read_text()
    assert [name for name in COMMANDS if f"## fabric {name}" not in page] == []
    assert [
        (name, each) for name, opts in OPTIONS.items() for each in opts if each.startswith("--") and each not in page
    ] == []


def test_every_key_has_its_part_of_the_reference_with_a_meaning_and_an_example() -> None:
    page = (REFERENCE / "intent.md").read_text()
    parts = {part.partition("\n")[0]: part for part in re.split(r"^##+ ", page, flags=re.MULTILINE)}
    assert [path for path in keys() if path not in parts] == []
    assert [path for path, key in keys().items() if not key.meaning] == []
    plain = {path for path, key in keys().items() if not key.below and key.type != "map"}
    assert sorted(path for path in plain if "- example: " not in parts[path]) == []

"""YAML 1.2 text to nodes with positions. YAML is data here: no tags, no merging, no second document.

The parser of ruamel.yaml only delivers its events; nodes are built from them here, because positions of every key and
item are wanted, and because everything that is wrong is to be said at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from fabric.errors import Problem
from fabric.intent.problems import as_error
from fabric.intent.source import FORBIDDEN_IN_VALUES, where_in
from fabric.places import Place

DEEPEST: Final = 20
MOST_NODES: Final = 50_000
_SHOWN: Final = 40
_LONGEST_NUMBER: Final = 64
# On odd input the parser raises more than its own errors: a NUL or a huge escape ends in chr(), an empty
# look-ahead in an index. Those are faults of the input as well, so they are named here and nowhere else.
_PARSER_FAULTS: Final = (YAMLError, ValueError, OverflowError, LookupError, AttributeError, TypeError, AssertionError)
# The parser's time for a tag grows with the square of its length: such a one is not even given to it.
_LONG_TAG: Final = re.compile(r"(?<![^\s\[\]{},:?-])!\S{1000}")
_NULL: Final = re.compile(r"null|Null|NULL|~|")
_BOOL: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT: Final = re.compile(r"[-+]?[0-9]{1,40}|0o[0-7]{1,40}|0x[0-9a-fA-F]{1,40}")
_PADDED: Final = re.compile(r"[-+]?0[0-9]{1,40}")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar."""

    value: Scalar
    place: Place


@dataclass(slots=True)
class Items:
    """A list; filled while it is read."""

    place: Place
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Entries:
    """A mapping: keys with the places where they stand; filled while it is read."""

    place: Place
    entries: dict[str, tuple[Place, Node]] = field(default_factory=dict)


Node: TypeAlias = Leaf | Items | Entries


def read_nodes(text: str, file: str) -> tuple[Node | None, list[Problem]]:
    """Return the nodes of the only document of a text (``None`` when there is none) and what is wrong with it.

    Raises IntentError where reading cannot go on.
    """
    reader = _Reader(file)
    if (match := _LONG_TAG.search(text)) is not None:
        said = f"tags are not allowed, found {match[0][:_SHOWN]!r}"
        raise as_error([Problem(said, where_in(text, match.start(), file), "write the plain value")])
    try:
        return reader.document(_events(text)), reader.problems
    except _PARSER_FAULTS as fault:
        raise as_error([*reader.problems, _syntax(fault, file)]) from None


def resolve(text: str) -> Scalar:
    """Return what a plain scalar stands for in the core schema of YAML 1.2 (``yes`` and ``on`` are texts)."""
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INT.fullmatch(text):
        return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _events(text: str) -> Iterator[Event]:
    yield from YAML(typ="safe", pure=True).parse(text)


def _syntax(fault: BaseException, file: str) -> Problem:
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    said = getattr(fault, "problem", None) or getattr(fault, "context", None) or "the text cannot be read"
    where = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark is not None else file
    plain = " ".join(str(said).split())
    return Problem(f"this is not YAML: {plain}", where, "check quotes, colons, brackets and indentation at this place")


class _Reader:
    """Builds nodes from events, and keeps what is wrong."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self._anchors: dict[str, Node | None] = {}
        self._count = 0

    def document(self, events: Iterator[Event]) -> Node | None:
        """Return the first document's node; a further document is a problem."""
        root: Node | None = None
        documents = 0
        for event in events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                self._directives(event)
                if documents == 2:
                    self._say(event, "a second document begins", "one file holds one fabric: remove the line ---")
                    return root
            elif isinstance(event, NodeEvent):
                root = self._node(event, events, 1)
        return root

    def _directives(self, event: DocumentStartEvent) -> None:
        if event.tags or event.version not in {None, (1, 2)}:
            self._say(event, "directives such as %YAML and %TAG are not supported", "remove it: files are YAML 1.2")

    def _node(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        self._count += 1
        if self._count > MOST_NODES:
            self._stop(event, f"the file holds more than {MOST_NODES} values")
        if depth > DEEPEST:
            self._stop(event, f"the file is nested deeper than {DEEPEST} levels")
        if isinstance(event, AliasEvent):
            return self._alias(event)
        tag, anchor = getattr(event, "tag", None), getattr(event, "anchor", None)
        if tag is not None:
            self._say(event, f"tags are not allowed, found {str(tag)[:_SHOWN]!r}", "write the plain value")
        if anchor is not None:
            self._anchors[anchor] = None  # known, and not complete: an alias to it now would contain itself
        node = self._content(event, events, depth)
        if anchor is not None:
            self._anchors[anchor] = node
        return node

    def _content(self, event: Event, events: Iterator[Event], depth: int) -> Node:
        if isinstance(event, SequenceStartEvent):
            return self._items(event, events, depth)
        if isinstance(event, MappingStartEvent):
            return self._entries(event, events, depth)
        return self._leaf(event)

    def _items(self, event: SequenceStartEvent, events: Iterator[Event], depth: int) -> Items:
        found = Items(self._place(event))
        while not isinstance(inner := next(events), SequenceEndEvent):
            found.items.append(self._node(inner, events, depth + 1))
        return found

    def _entries(self, event: MappingStartEvent, events: Iterator[Event], depth: int) -> Entries:
        found = Entries(self._place(event))
        while not isinstance(inner := next(events), MappingEndEvent):
            key = self._key(inner, self._node(inner, events, depth + 1))
            value = self._node(next(events), events, depth + 1)
            if key in found.entries:
                first = found.entries[key][0]
                self._say(inner, f"the key {key[:_SHOWN]!r} is given twice", f"keep one; the first is at {first}")
            elif key is not None:
                found.entries[key] = (self._place(inner), value)
        return found

    def _key(self, event: Event, node: Node) -> str | None:
        """Return a key's text; ``None`` and a problem where it is none."""
        if isinstance(node, Leaf) and node.value == "<<":
            self._say(event, "merging with << is not part of YAML 1.2", "write the keys out")
        elif isinstance(node, Leaf) and isinstance(node.value, str):
            return node.value
        elif isinstance(node, Leaf):
            self._say(event, f"a key must be text, found {_written(event)}", "names begin with a letter; or quote it")
        else:
            self._say(event, "a key must be text, found a list or mapping", "write one word before the colon")
        return None

    def _leaf(self, event: Event) -> Leaf:
        text = str(getattr(event, "value", ""))
        plain = isinstance(event, ScalarEvent) and event.implicit[0] and event.style is None
        match = FORBIDDEN_IN_VALUES.search(text)
        if match is not None:
            name = {"\n": "a line break", "\t": "a tab"}.get(match[0], f"the character U+{ord(match[0]):04X}")
            self._say(event, f"a value holds {name}", "write it as one line of visible characters")
            text = FORBIDDEN_IN_VALUES.sub(" ", text)
        if plain and _PADDED.fullmatch(text):
            hint = "leave the zero out; others read such a number as octal"
            self._say(event, f"the number {text[:_SHOWN]} begins with 0", hint)
        return Leaf(resolve(text) if plain else text, self._place(event))

    def _alias(self, event: AliasEvent) -> Node:
        node = self._anchors.get(event.anchor)
        if node is None:
            known = event.anchor in self._anchors
            said = "contains itself" if known else "names no anchor above it"
            self._say(event, f"the alias *{event.anchor[:_SHOWN]} {said}", "write the value out")
            return Leaf("", self._place(event))
        return node

    def _place(self, event: Event) -> Place:
        return Place(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _say(self, event: Event, message: str, hint: str) -> None:
        self.problems.append(Problem(message, str(self._place(event)), hint))

    def _stop(self, event: Event, message: str) -> None:
        self._say(event, message, "an intent file is far smaller")
        raise as_error(self.problems)


def _written(event: Event) -> str:
    text = str(getattr(event, "value", "")) or "nothing"
    return text[:_SHOWN]

"""What may stand at a place of the file, looked up in its JSON Schema: keys, and the sentence that describes one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

from fabric.intent.schema import Json, JsonMap, schema
from fabric.intent.tree import Data, Path, Tree

_UNIONS: Final = ("oneOf", "anyOf")
_KINDS: Final = {
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "array": "a list with at least one entry",
    "object": "a mapping with at least one key",
}
_BOUNDS: Final = (("exclusiveMinimum", "above"), ("minimum", "at least"), ("maximum", "at most"))


@dataclass(frozen=True)
class Language:
    """The language as a schema that can be asked about paths of one file.

    Where a value has several forms, that of the file is meant: the one whose needed keys it has.
    """

    root: JsonMap
    tree: Tree

    def keys(self, path: Path) -> tuple[str, ...]:
        """Return the keys that may stand below ``path``; none where names are free or nothing is known."""
        here = self._at(path)
        return tuple(_map(here.get("properties"))) if here is not None else ()

    def description(self, path: Path) -> str:
        """Return the sentence about the key at ``path``; empty when there is none."""
        return str((self._part(path) or {}).get("description", "")).rstrip(".")

    def words(self, path: Path) -> tuple[str, ...]:
        """Return the words between which the value at ``path`` chooses; none where it is free."""
        return _choice(self._part(path) or {})

    def homes(self, key: str) -> tuple[str, ...]:
        """Return where else a key is known, as dotted paths in which ``*`` stands for a name or index."""
        return self._homes.get(key, ())

    def wanted(self, path: Path) -> str:
        """Say what kinds of values may stand at ``path``, with their bounds."""
        here = self._part(path) or {}
        return " or ".join(dict.fromkeys(_kind(form) for form in self.forms(here) or [here]))

    @cached_property
    def _homes(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {}
        for key, path in _keys(self, self.root, ""):
            found.setdefault(key, set()).add(path)
        return {key: tuple(sorted(paths)) for key, paths in found.items()}

    def _at(self, path: Path) -> JsonMap | None:
        """Return what the schema says of the form that the value at ``path`` has."""
        part = self._part(path)
        return self._form(part, self.tree.get(*path)) if part is not None else None

    def _part(self, path: Path) -> JsonMap | None:
        """Return what the schema says of ``path``, with all forms that its value may have."""
        if not path:
            return self.root
        here = self._at(path[:-1])
        return self._below(here, path[-1]) if here is not None else None

    def _below(self, here: JsonMap, step: str | int) -> JsonMap | None:
        # A name that breaks its pattern still stands where names stand: what is below it is known.
        free = next(iter(_map(here.get("patternProperties")).values()), None)
        inner = here.get("items") if isinstance(step, int) else _map(here.get("properties")).get(step, free)
        return self.resolved(inner) if isinstance(inner, dict) else None

    def _form(self, part: JsonMap, data: Data) -> JsonMap:
        """Return the alternative of a part that data is meant to be; the part itself where it has none."""
        forms = self.forms(part)
        if isinstance(data, list):
            chosen = next((form for form in forms if "items" in form), None)
        else:
            given = frozenset(data) if isinstance(data, dict) else frozenset()
            mappings = [form for form in forms if "properties" in form]
            chosen = max(mappings, key=lambda form: _likeness(form, given)) if mappings else None
        return chosen | {key: value for key, value in part.items() if key not in _UNIONS} if chosen else part

    def forms(self, part: JsonMap) -> list[JsonMap]:
        """Return the alternatives of a part, those of alternatives among them; none where there is one form only."""
        found: list[JsonMap] = []
        for union in _UNIONS:
            listed = part.get(union)
            for one in listed if isinstance(listed, list) else ():
                form = self.resolved(one) if isinstance(one, dict) else {}
                found += self.forms(form) or [form]
        return found

    def resolved(self, part: JsonMap) -> JsonMap:
        """Follow a reference; what stands beside it goes before what it refers to."""
        reference = part.get("$ref")
        if not isinstance(reference, str):
            return part
        definitions = _map(self.root.get("$defs"))
        return cast("JsonMap", definitions[reference.rpartition("/")[2]]) | part


def language(tree: Tree) -> Language:
    """Return the language of this release, for questions about one file; built only when something is wrong."""
    return Language(schema(), tree)


def _likeness(form: JsonMap, given: frozenset[str]) -> tuple[bool, int, int]:
    """Tell how well keys fit a form: all that it needs, of these the shortest, else the most that it knows."""
    listed = form.get("required")
    needed = frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()
    whole = needed <= given
    return whole, -len(needed) if whole else 0, len(given & _map(form.get("properties")).keys())


def _keys(words: Language, here: JsonMap, at: str) -> Iterator[tuple[str, str]]:
    below = _map(here.get("properties"))
    free = [*_map(here.get("patternProperties")).values(), here.get("items")]
    named = [*below.items(), *(("*", inner) for inner in free)]
    yield from ((key, f"{at}{key}") for key in below)
    for name, inner in [(name, inner) for name, inner in named if isinstance(inner, dict)]:
        part = words.resolved(inner)
        for form in words.forms(part) or [part]:
            yield from _keys(words, form, f"{at}{name}.")


def _map(part: Json) -> Mapping[str, Json]:
    return part if isinstance(part, dict) else {}


def _choice(part: JsonMap) -> tuple[str, ...]:
    choice = part.get("enum", [part["const"]] if "const" in part else None)
    return tuple(map(str, choice)) if isinstance(choice, list) else ()


def _kind(part: JsonMap) -> str:
    return ", ".join(_choice(part)) or _KINDS.get(str(part.get("type")), "another value") + _bounds(part)


def _bounds(part: JsonMap) -> str:
    if "minimum" in part and "maximum" in part:
        return f" from {part['minimum']} to {part['maximum']}"
    said = [f"{word} {part[key]}" for key, word in _BOUNDS if key in part]
    return f", {' and '.join(said)}" if said else ""

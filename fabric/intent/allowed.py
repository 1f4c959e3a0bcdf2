"""What may stand at a place of the file, looked up in its JSON Schema: keys, and the sentence that describes one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from fabric.intent.schema import Json, JsonMap, schema
from fabric.intent.tree import Path

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
    """The language as a schema that can be asked about paths."""

    root: JsonMap

    def keys(self, path: Path) -> tuple[str, ...]:
        """Return the keys that may stand below ``path``; none where names are free or nothing is known."""
        here = self._at(path)
        return tuple(_map(here.get("properties"))) if here is not None else ()

    def description(self, path: Path) -> str:
        """Return the sentence about the key at ``path``; empty when there is none."""
        here = self._at(path)
        said = here.get("description", "") if here is not None else ""
        return str(said).rstrip(".")

    def words(self, path: Path) -> tuple[str, ...]:
        """Return the words between which the value at ``path`` chooses; none where it is free."""
        here = self._at(path) or {}
        choice = here.get("enum")
        return tuple(map(str, choice)) if isinstance(choice, list) else ()

    def homes(self, key: str) -> tuple[str, ...]:
        """Return where else a key is known, as dotted paths in which ``*`` stands for a name or index."""
        return tuple(sorted(_homes(self, self.root, key, "")))

    def wanted(self, path: Path) -> str:
        """Say what kind of value may stand at ``path``, with its bounds."""
        words = self.words(path)
        if words:
            return ", ".join(words)
        here = self._at(path) or {}
        return _KINDS.get(str(here.get("type")), "another value") + _bounds(here)

    def _at(self, path: Path) -> JsonMap | None:
        here: JsonMap | None = self.root
        for step in path:
            here = self._below(here, step) if here is not None else None
        return here

    def _below(self, here: JsonMap, step: str | int) -> JsonMap | None:
        # A name that breaks its pattern still stands where names stand: what is below it is known.
        free = next(iter(_map(here.get("patternProperties")).values()), None)
        inner = here.get("items") if isinstance(step, int) else _map(here.get("properties")).get(step, free)
        return self.resolved(inner) if isinstance(inner, dict) else None

    def resolved(self, part: JsonMap) -> JsonMap:
        """Follow a reference; what stands beside it goes before what it refers to."""
        reference = part.get("$ref")
        if not isinstance(reference, str):
            return part
        definitions = _map(self.root.get("$defs"))
        return cast("JsonMap", definitions[reference.rpartition("/")[2]]) | part


def language() -> Language:
    """Return the language of this release; built only when something is wrong."""
    return Language(schema())


def _homes(words: Language, here: JsonMap, key: str, at: str) -> Iterator[str]:
    below = _map(here.get("properties"))
    if key in below:
        yield f"{at}{key}"
    free = [*_map(here.get("patternProperties")).values(), here.get("items")]
    named = [*below.items(), *(("*", inner) for inner in free)]
    for name, inner in [(name, inner) for name, inner in named if isinstance(inner, dict)]:
        yield from _homes(words, words.resolved(inner), key, f"{at}{name}.")


def _map(part: Json) -> Mapping[str, Json]:
    return part if isinstance(part, dict) else {}


def _bounds(part: JsonMap) -> str:
    if "minimum" in part and "maximum" in part:
        return f" from {part['minimum']} to {part['maximum']}"
    said = [f"{word} {part[key]}" for key, word in _BOUNDS if key in part]
    return f", {' and '.join(said)}" if said else ""

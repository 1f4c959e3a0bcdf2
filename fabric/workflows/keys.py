"""Keys: every key of the intent file with its type, what is allowed, its default and its meaning, from the schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from fabric.intent.schema import schema

# Stands in paths for a name or pattern that the user chooses.
NAME = "NAME"
_DEEP = 12


@dataclass(frozen=True, slots=True)
class Key:
    """A key under its path (``classes.NAME.ecn.min``); ``below`` are the keys that it holds itself."""

    path: str
    type: str
    meaning: str
    default: str
    allowed: tuple[str, ...]
    needed: bool
    below: tuple[str, ...]


@cache
def keys() -> Mapping[str, Key]:
    """Return every key under its path, in order of the file."""
    whole: dict[str, Any] = json.loads(json.dumps(schema()))
    found: dict[str, Key] = {}
    for key in _below(whole, whole, "", 0):
        found.setdefault(key.path, key)
    return found


def find(path: str) -> Key | None:
    """Return the key of a path; names of the user's own and indexes may stand in it, or be left out."""
    wanted = tuple(part for part in path.split(".") if not part.isdecimal())
    every = keys()
    if path in every:
        return every[path]
    return next((key for at, key in every.items() if _matches(tuple(at.split(".")), wanted)), None)


def keys_ending(name: str) -> tuple[str, ...]:
    """Return the paths of the keys that end in a name: ``spread`` finds ``topology.cables.spread``."""
    wanted = f".{name}"
    return tuple(path for path in keys() if name and path.endswith(wanted))


def _matches(pattern: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Tell whether a path names a key; `NAME` stands for any one part, or for none."""
    if not pattern:
        return not wanted
    if pattern[0] == NAME:
        return _matches(pattern[1:], wanted) or (bool(wanted) and _matches(pattern[1:], wanted[1:]))
    return bool(wanted) and pattern[0] == wanted[0] and _matches(pattern[1:], wanted[1:])


def _below(whole: Mapping[str, Any], part: Mapping[str, Any], path: str, deep: int) -> Iterator[Key]:
    """Yield the keys of a part of the schema, each followed by those below it."""
    if deep > _DEEP:
        return
    for form in _forms(whole, part):
        for name, inner in form.get("properties", {}).items():
            at = f"{path}.{name}" if path else name
            yield _key(whole, inner, at, needed=name in form.get("required", ()))
            yield from _below(whole, inner, at, deep + 1)
        for inner in _named(form):
            yield from _below(whole, inner, f"{path}.{NAME}", deep + 1)
        if isinstance(form.get("items"), dict):
            yield from _below(whole, form["items"], path, deep + 1)


def _named(form: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what stands under names that the user chooses."""
    yield from form.get("patternProperties", {}).values()
    if isinstance(form.get("additionalProperties"), dict):
        yield form["additionalProperties"]


def _forms(whole: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the forms that a part may take, references followed."""
    if "$ref" in part:
        rest = {key: value for key, value in part.items() if key != "$ref"}
        yield from _forms(whole, whole["$defs"][part["$ref"].rpartition("/")[2]] | rest)
        return
    alternatives = part.get("anyOf") or part.get("oneOf")
    if alternatives and "properties" not in part:  # beside properties they only say which keys must be there
        for each in alternatives:
            yield from _forms(whole, each)
    else:
        yield part


def _key(whole: Mapping[str, Any], part: Mapping[str, Any], path: str, *, needed: bool) -> Key:
    forms = tuple(_forms(whole, part))
    kinds = dict.fromkeys(_kind(form) for form in forms)
    allowed = dict.fromkeys(said for form in forms for said in _allowed(form))
    holders = (each for form in forms for each in (form, *_named(form), form.get("items")))
    inner = (name for each in holders for name in _names(whole, each))
    default = part.get("default", next((form["default"] for form in forms if "default" in form), None))
    shown = "" if default in (None, {}, []) else default if isinstance(default, str) else json.dumps(default)
    meaning = part.get("description") or next((form["description"] for form in forms if "description" in form), "")
    return Key(path, " or ".join(kinds), meaning, shown, tuple(allowed), needed, tuple(dict.fromkeys(inner)))


def _names(whole: Mapping[str, Any], part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for form in _forms(whole, part):
            yield from form.get("properties", {})


def _kind(form: Mapping[str, Any]) -> str:
    """Return what kind of value is wanted, in words of YAML."""
    if "const" in form or "enum" in form:
        return "word"
    kind = form.get("type", "value")
    words = {"object": "map", "array": "list", "string": "text", "integer": "number", "boolean": "true or false"}
    return " or ".join(words.get(each, each) for each in ([kind] if isinstance(kind, str) else kind))


def _allowed(form: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a form allows: its words, its bounds, examples, and the pattern where nothing is easier to read."""
    if "const" in form:
        yield str(form["const"])
    yield from map(str, form.get("enum", ()))
    bounds = (
        ("from", form.get("minimum")),
        ("above", form.get("exclusiveMinimum")),
        ("to", form.get("maximum")),
        ("below", form.get("exclusiveMaximum")),
    )
    if said := " ".join(f"{word} {bound}" for word, bound in bounds if bound is not None):
        yield said
    examples = form.get("examples", ())
    yield from (f"such as {example}" for example in examples)
    if "pattern" in form and not examples:
        yield f"matching {form['pattern']}"

"""What the models complain about, in the words of the user's file: key, what was found, what is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fabric.errors import Problem
from fabric.intent.allowed import Language
from fabric.intent.spelling import choices, nearest
from fabric.intent.tree import Data, Path, Tree, dotted

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_LONGEST: Final = 40
_KEY_MARK: Final = "[key]"


def found_text(value: Data, path: Path) -> str:
    """Say what stands at a path. Texts below ``access`` are never repeated: they might be secrets."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        written = str(value)
        return f"the number {written if len(written) <= _LONGEST else written[:_LONGEST] + '...'}"
    if isinstance(value, str):
        if path[:1] == ("access",):
            return "a text"
        return f"{value!r}" if len(value) <= _LONGEST else f"{value[:_LONGEST]!r}..."
    return "a list" if isinstance(value, list) else "a mapping"


def complaints(error: ValidationError, tree: Tree, words: Language) -> Iterator[tuple[Path, Problem]]:
    """Yield each complaint of the models with the path that it is about."""
    for detail in error.errors(include_url=False):
        path = _path(detail, tree)
        if detail["type"] == "too_short" and tree.get(*path):
            continue  # entries are there: those that are wrong were not counted, and each is said by itself
        if detail["type"] == "missing" and _misspelt(path, tree, words):
            continue  # the key that stands there instead is unknown, and that is said of it
        yield path, _problem(detail, path, tree, words)


def _path(detail: ErrorDetails, tree: Tree) -> Path:
    """Return the longest part of a location that stands in the file; all of it for keys that are missing."""
    location = detail["loc"]
    while detail["type"] != "missing" and location and location not in tree.values:
        location = location[:-1]  # the mark of a key, and alternatives of one value, are named behind it
    return location


def _problem(detail: ErrorDetails, path: Path, tree: Tree, words: Language) -> Problem:
    kind = detail["type"]
    name = dotted(path) or "the file"
    if kind == "extra_forbidden":
        return Problem(f"{name}: unknown key", tree.key_place(path), _choices(path, words))
    if kind == "missing":
        return _missing(path, tree, words)
    is_key = detail["loc"] == (*path, _KEY_MARK)
    found = repr(str(path[-1])[:_LONGEST]) if is_key else found_text(tree.get(*path), path)
    place = tree.key_place(path) if is_key else tree.value_place(path)
    about = words.description(path)
    if kind == "value_error":
        said = str(detail["ctx"]["error"])
        if is_key:
            return Problem(f"{name}: found {found}; {said}", place, "rename it here and wherever it is named")
        return Problem(f"{name}: found {found}; {said}", place, f"{name.rpartition('.')[2]}: {about}" if about else "")
    meant = nearest(str(tree.get(*path)), words.words(path))
    hint = (f"did you mean {meant}? " if meant else "") + f"allowed: {words.wanted(path)}"
    return Problem(f"{name}: found {found}", place, hint + (f" ({about})" if about else ""))


def _choices(path: Path, words: Language) -> str:
    key, above = str(path[-1]), path[:-1]
    known = words.keys(above)
    meant = nearest(key, known)
    homes = words.homes(key) if meant is None else ()
    start = f"it belongs elsewhere: {', '.join(homes)}; " if homes else ""
    return start + choices(meant, known)


def _missing(path: Path, tree: Tree, words: Language) -> Problem:
    about = words.description(path)
    return Problem(f"{dotted(path)} is missing", tree.key_place(path[:-1]), f"add {path[-1]}: {about}")


def _misspelt(path: Path, tree: Tree, words: Language) -> bool:
    """Tell whether an unknown key stands beside the place of a missing one, and is taken for it."""
    above = path[:-1]
    known = words.keys(above)
    strange = [key for key in tree.mapping(*above) if key not in known]
    return any(nearest(key, known) == path[-1] for key in strange)

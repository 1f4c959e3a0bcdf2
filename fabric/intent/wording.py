"""What the models complain about, in the words of the user's file: key, what was found, what is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fabric.errors import Problem
from fabric.intent.allowed import Language
from fabric.intent.problems import MOST_PROBLEMS
from fabric.intent.spelling import choices, nearest
from fabric.intent.tree import Data, Path, Tree, dotted
from fabric.places import Place

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_LONGEST: Final = 40
_KEY_MARK: Final = "[key]"
_MOST_STRANGE: Final = 100
# Values of several forms: behind these paths the models name the form, which is no key of the file.
_UNIONS: Final[tuple[Path, ...]] = (("topology", "cables", "*"), ("addressing", "hosts"))


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
    """Yield each complaint of the models with the path that it is about, those at the top of the file first."""
    nearer = _Nearer(tree, words)
    located = [_Complaint(_location(detail), detail) for detail in error.errors(include_url=False)]
    placed = sorted(((_path(each, tree), each) for each in located), key=lambda pair: _position(pair[0], tree))
    for number, (path, each) in enumerate(placed):
        kind = each.detail["type"]
        if kind == "too_short" and tree.get(*path):
            continue  # entries are there: those that are wrong were not counted, and each is said by itself
        if number > MOST_PROBLEMS:  # it will only be counted
            yield path, Problem(f"{dotted(path)}: {kind}", tree.key_place(path))
        elif kind != "missing" or path[-1] not in nearer.meant(path[:-1]):
            yield path, _problem(each, path, nearer)


@dataclass(frozen=True, slots=True)
class _Complaint:
    """What the models complain about, and its path in the file: the names of alternatives are left out of it."""

    location: Path
    detail: ErrorDetails


def _location(detail: ErrorDetails) -> Path:
    location = detail["loc"]
    for union in _UNIONS:
        if len(location) > len(union) and all(one in {"*", step} for one, step in zip(union, location, strict=False)):
            return location[: len(union)] + location[len(union) + 1 :]
    return location


def _path(complaint: _Complaint, tree: Tree) -> Path:
    """Return the longest part of a location that stands in the file; all of it for keys that are missing."""
    location = complaint.location
    while complaint.detail["type"] != "missing" and location and location not in tree.values:
        location = location[:-1]  # the mark of a key, and alternatives of one value, are named behind it
    return location


def _position(path: Path, tree: Tree) -> Place:
    return tree.keys.get(path) or tree.keys.get(path[:-1]) or Place(tree.file, 1, 1)


@dataclass(frozen=True)
class _Nearer:
    """The file and the language, and which keys the unknown ones in it were probably meant to be."""

    tree: Tree
    words: Language
    found: dict[Path, frozenset[str]] = field(default_factory=dict)

    def meant(self, above: Path) -> frozenset[str]:
        """Return the keys that unknown keys of a mapping are taken for: they are not missing as well."""
        if above not in self.found:
            known = self.words.keys(above)
            strange = [key for key in self.tree.mapping(*above) if key not in known][:_MOST_STRANGE]
            self.found[above] = frozenset(near for key in strange if (near := nearest(key, known)) is not None)
        return self.found[above]


def _problem(complaint: _Complaint, path: Path, nearer: _Nearer) -> Problem:
    detail, tree, words = complaint.detail, nearer.tree, nearer.words
    kind = detail["type"]
    name = dotted(path) or "the file"
    if kind == "extra_forbidden":
        return Problem(f"{name}: unknown key", tree.key_place(path), _choices(path, words))
    if kind == "missing":
        return _missing(path, tree, words)
    is_key = complaint.location == (*path, _KEY_MARK)
    found = repr(str(path[-1])[:_LONGEST]) if is_key else found_text(tree.get(*path), path)
    place = tree.key_place(path) if is_key else tree.value_place(path)
    about = words.description(path)
    if kind == "value_error":
        said = str(detail["ctx"]["error"])
        if is_key:
            return Problem(f"{name}: found {found}; {said}", place, _renamed(path))
        start = f"{path[-1]}: " if about and path and isinstance(path[-1], str) else ""
        return Problem(f"{name}: found {found}; {said}", place, start + about)
    meant = nearest(str(tree.get(*path)), words.words(path))
    hint = (f"did you mean {meant}? " if meant else "") + f"allowed: {words.wanted(path)}"
    return Problem(f"{name}: found {found}", place, hint + (f" ({about})" if about else ""))


def _renamed(path: Path) -> str:
    """Say what to do about a key that is no name: those of ``nodes`` may be patterns, which nothing else names."""
    if path[:1] == ("nodes",):
        return "* stands for any characters and ? for one: write a wider pattern, or one key for each node"
    return "rename it here and wherever it is named"


def _choices(path: Path, words: Language) -> str:
    key, above = str(path[-1]), path[:-1]
    known = words.keys(above)
    meant = nearest(key, known)
    homes = [home for home in words.homes(key) if not _is_at(home, path)] if meant is None else []
    start = f"it belongs elsewhere: {', '.join(homes)}; " if homes else ""
    return start + choices(meant, known)


def _is_at(home: str, path: Path) -> bool:
    steps = home.split(".")
    return len(steps) == len(path) and all(step in {"*", str(one)} for step, one in zip(steps, path, strict=True))


def _missing(path: Path, tree: Tree, words: Language) -> Problem:
    about = words.description(path)
    return Problem(f"{dotted(path)} is missing", tree.key_place(path[:-1]), f"add {path[-1]}: {about}")

"""Load an intent file: strict, with positions, and everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from fabric.errors import Problem
from fabric.intent.allowed import language
from fabric.intent.cards import card_problems
from fabric.intent.document import Document
from fabric.intent.entries import entry_problems
from fabric.intent.listed_cables import read_cables, with_one_entry
from fabric.intent.listed_nodes import read_listed_nodes
from fabric.intent.literals import literal_secrets
from fabric.intent.markings import marking_problems
from fabric.intent.models import Intent
from fabric.intent.nodes import Leaf, read_nodes
from fabric.intent.pods import pod_problems
from fabric.intent.pools import pool_problems
from fabric.intent.problems import as_error
from fabric.intent.references import reference_problems
from fabric.intent.sizes import size_problems
from fabric.intent.source import Source, read_source
from fabric.intent.tiers import cabling_problems
from fabric.intent.tree import Path, Tree, dotted, grow
from fabric.intent.wording import complaints

_JUDGES: Final[tuple[Callable[[Tree], Iterable[Problem]], ...]] = (
    reference_problems,
    cabling_problems,
    pod_problems,
    card_problems,
    entry_problems,
    pool_problems,
    size_problems,
    marking_problems,
)
"""What looks at several values of the file together."""


def load(path: str | FilePath) -> Document:
    """Load a ``fabric.yaml``, given itself or by its folder.

    Raises IntentError, whose ``problems`` are all that is wrong, in the order of the file, each with
    ``file:line:column``, the path of its key, what was found and what is allowed.
    """
    return parse(read_source(path))


def parse(source: Source) -> Document:
    """Turn the text of an intent file into a document; errors as of `load`."""
    tree, problems = _tree(source)
    folder = FilePath(source.file).parent
    tree = with_one_entry(tree)
    cables, nodes = read_cables(tree, folder), read_listed_nodes(tree, folder)
    tree = nodes.tree
    problems += [*cables.problems, *nodes.problems]
    secrets = dict(literal_secrets(tree))
    problems += secrets.values()
    covered = frozenset(secrets) | _without_value(tree)
    intent = _intent(tree, covered, problems)
    for problems_of in _JUDGES:
        problems += problems_of(tree)
    if intent is None or problems:
        raise as_error(problems)
    places = MappingProxyType({dotted(path): place for path, place in tree.keys.items()})
    digest = _digest(source.digest, *cables.digests, *nodes.digests)
    return Document(source.file, intent, places, digest, cables.cables)


def _digest(first: str, *others: str) -> str:
    """Return the digest of one file, or that of the digests of several."""
    return sha256("\n".join((first, *others)).encode()).hexdigest() if others else first


def _tree(source: Source) -> tuple[Tree, list[Problem]]:
    """Return the file as plain data; IntentError where it is no mapping at all."""
    hint = "an intent file holds the keys fabric, topology, addressing and classes"
    node, problems = read_nodes(source.text, source.file)
    if node is None or (isinstance(node, Leaf) and node.value in {None, ""}):
        raise as_error([*problems, Problem("the file is empty", f"{source.file}:1:1", hint)])
    tree, further = grow(node, source.file)
    problems += further
    if not isinstance(tree.data, dict):
        found = "a list" if isinstance(tree.data, list) else "a single value"
        said = Problem(f"the file is not a mapping of keys: found {found}", tree.key_place(()), hint)
        raise as_error([*problems, said])
    return tree, problems


def _intent(tree: Tree, covered: frozenset[Path], problems: list[Problem]) -> Intent | None:
    """Return the models, or ``None`` after adding to ``problems`` what they complain about outside of ``covered``."""
    try:
        return Intent.model_validate(tree.data)
    except ValidationError as error:
        found = complaints(error, tree, language(tree))
        problems += [problem for path, problem in found if not _is_covered(path, covered)]
        return None


def _is_covered(path: Path, covered: frozenset[Path]) -> bool:
    return any(path[:length] in covered for length in range(1, len(path) + 1))


def _without_value(tree: Tree) -> frozenset[Path]:
    return frozenset(path for path in tree.keys if tree.get(*path) is None)

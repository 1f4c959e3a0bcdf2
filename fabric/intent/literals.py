"""Literal secrets: whatever is named like one below ``access`` and is no reference is refused, and never repeated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fabric.errors import Problem
from fabric.intent.tree import Path, Tree, dotted

_SECRETS: Final = frozenset({"password", "key", "secret", "token", "passphrase", "private_key"})
_REFERENCES: Final = frozenset({"password", "key"})
_BY_REFERENCE: Final = "secrets stand in this file only as references, such as {env: NAME}; leave the key out"


def literal_secrets(tree: Tree) -> Iterator[tuple[Path, Problem]]:
    """Yield each literal secret with its path, under which the models would only complain once more."""
    for path in _named_like_secrets(tree):
        if path[-1] not in _REFERENCES or not isinstance(tree.get(*path), dict):
            yield path, Problem(f"{dotted(path)}: a secret stands here", tree.key_place(path), _BY_REFERENCE)


def _named_like_secrets(tree: Tree) -> Iterator[Path]:
    entries: list[Path] = [("access",), *(("access", group) for group in tree.mapping("access"))]
    entries += [("access", "jump", name) for name in tree.mapping("access", "jump")]
    for entry in entries:
        yield from ((*entry, name) for name in tree.mapping(*entry) if name in _SECRETS and entry != ("access", "jump"))

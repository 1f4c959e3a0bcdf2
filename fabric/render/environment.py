"""The Jinja environment: strict, sandboxed, and with two filters that take keys of rows apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

Row = TypeVar("Row")

_ROWS = "fabric.settings."
"""Where the modules are whose values templates are given."""


class _Environment(ImmutableSandboxedEnvironment):
    """The sandbox of Jinja, which need not look into rows: they are frozen values of ours without methods."""

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        if type(obj).__module__.startswith(_ROWS):
            return not attr.startswith("_")
        return super().is_safe_attribute(obj, attr, value)


def environment(roots: tuple[Path, ...]) -> ImmutableSandboxedEnvironment:
    """Return the environment over these folders, best first.

    Autoescape is off: the texts are configurations, in which ``&lt;`` would be wrong. Templates can reach nothing but
    each other (``include``, ``import``) and the values that they are given, and cannot change those.
    """
    made = _Environment(
        loader=ChoiceLoader([FileSystemLoader(root) for root in roots]),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["under"] = under
    made.filters["split"] = split
    return made


def under(rows: Mapping[str, Row] | None, word: str) -> tuple[tuple[str, Row], ...]:
    """Return the rows whose key starts with a word, as (rest of the key, row); none of an absent facet."""
    found = [(*key.partition(" "), row) for key, row in (rows or {}).items()]
    return tuple((rest, row) for first, _, rest, row in found if first == word)


def split(rows: Mapping[str, Row] | None) -> Iterable[tuple[str | Row, ...]]:
    """Return the rows as (first word of the key, next word, ..., row); none of an absent facet."""
    return tuple((*key.split(" "), row) for key, row in (rows or {}).items())

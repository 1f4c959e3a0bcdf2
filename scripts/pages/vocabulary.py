"""Pages of words: terms, facets, errors; as `fabric explain` knows them."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from inspect import cleandoc

from fabric import errors
from fabric.checks.runner import checks
from fabric.cli.main import _ENDS as ENDS  # the one table of how errors end
from fabric.errors import FabricError
from fabric.rules.runner import rules
from fabric.settings.facet import Facet
from fabric.settings.known import FACETS
from fabric.workflows.keys import find
from fabric.workflows.terms import Term, terms
from pages.markdown import anchor, page, table

_CALLED = re.compile(r"``([^`]+)``")


def term_pages() -> str:
    """Return the glossary."""
    about = "Words of the field and of this program. `fabric explain TERM` prints one."
    return page("Terms", about, *map(_term, terms()))


def _term(term: Term) -> str:
    every = [("rules.md", rule.id) for rule in rules()] + [("checks.md", check.id) for check in checks()]
    judges = [
        f"[{name}]({where}#{anchor(name)})"
        for where, name in every
        if any(fnmatchcase(name, one) for one in term.judged_by)
    ]
    paths = [found.path for each in term.keys if (found := find(each))]
    rows = (
        ("also called", ", ".join(term.also)),
        ("keys", ", ".join(f"[`{path}`](intent.md#{anchor(path)})" for path in paths)),
        ("judged by", ", ".join(judges)),
        ("see", ", ".join(f"[{name}](#{name})" for name in term.see)),
    )
    lines = "\n".join(f"- {what}: {said}" for what, said in rows if said)
    return f"## {term.title} {{ #{term.name} }}\n\n{term.text}\n\n{lines}\n"


def facet_pages() -> str:
    """Return what each facet of settings holds."""
    about = (
        "A facet is one aspect of a node: the axis of settings, differences, checks, impact and `--only`."
        " [Systems](systems.md) says which system sets which."
    )
    return page("Facets", about, *map(_facet, sorted(FACETS)))


def _facet(name: str) -> str:
    module = import_module(f"fabric.settings.{name}")
    about = _plain(cleandoc(module.__doc__ or "").removeprefix(f"{name}: "))
    own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
    kinds = [each for each in own if isinstance(each, type) and is_dataclass(each) and not issubclass(each, Facet)]
    rows = [(each.__name__, _line(each), ", ".join(f"`{field.name}`" for field in fields(each))) for each in kinds]
    return f"## {name}\n\n{about[:1].upper()}{about[1:]}\n\n{table(('row', 'is', 'fields'), rows)}"


def error_pages() -> str:
    """Return every error, with what it is a kind of and the exit code."""
    about = (
        "Errors stop a command; findings and results of checks are values and do not. A message says what is wrong,"
        " where, what was expected and what to do."
    )
    rows = []
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, FabricError) and kind is not FabricError:
            above = kind.__mro__[1].__name__
            code = _ends(kind)
            rows.append((name, above, _line(kind), f"[{code}](exit-codes.md)"))
    return page("Errors", about, table(("error", "kind of", "is", "exit code"), rows))


def _ends(kind: type[FabricError]) -> str:
    return str(next(int(code) for each, code in ENDS if issubclass(kind, each)))


def _line(each: type) -> str:
    return _plain(" ".join(cleandoc(each.__doc__ or "").partition("\n\n")[0].split()))


def _plain(text: str) -> str:
    return _CALLED.sub(r"`\1`", text)

"""Pages: what `fabric explain` knows, taken from where it is defined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from inspect import cleandoc
from textwrap import fill, shorten

from fabric import errors
from fabric.checks.runner import checks
from fabric.errors import FabricError, UsageError
from fabric.results import ExitCode
from fabric.rules.contract import Rule
from fabric.rules.runner import rules
from fabric.settings.facet import Facet
from fabric.settings.known import FACETS
from fabric.workflows.keys import Key, find, keys, keys_ending
from fabric.workflows.terms import Term, by_word, plain, terms

EXIT_CODES = "exit-codes"
# Pages are read on terminals of 80 columns.
_WIDE = 79
# So much of a summary stands in the list, however long names are.
_LEAST = 28


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its kind, the name it is listed under, its first line in the list, and its text."""

    kind: str
    name: str
    summary: str
    text: str


def page(name: str, every: tuple[Rule, ...] | None = None) -> str:
    """Return all that is known under a name; UsageError with the nearest names otherwise. ``every`` rule: ours.

    A name is that of a rule, check, term, facet, error or key of the file, the catalogue code of rules (``A03``),
    ``exit-codes`` or one of them. Terms are found by other words for them too, in any spelling, keys by the end of
    their path (``spread``, ``ecn.min``) where only one ends like that.
    """
    known_pages = pages(every)
    if found := tuple(_called(name, known_pages, every)):
        return "\n\n\n".join(each.text for each in found)
    if ending := keys_ending(name):
        if len(ending) == 1:
            return next(each.text for each in known_pages if (each.kind, each.name) == ("key", ending[0]))
        raise UsageError(f"{len(ending)} keys are called {name}", hint=f"say which: {', '.join(ending)}")
    known = {each.name: each.name for each in known_pages} | {word: term.name for word, term in by_word().items()}
    near = dict.fromkeys(known[each] for word in (name, plain(name)) for each in get_close_matches(word, known, n=3))
    kinds = Counter(each.kind for each in known_pages)
    there = ", ".join(f"{number} {kind}s" for kind, number in kinds.items())
    hint = f"did you mean {', '.join(near)}?" if near else f"there are: {there}; `fabric explain` lists them"
    raise UsageError(f"nothing is called {name!r}", hint=hint)


@cache
def pages(every: tuple[Rule, ...] | None = None) -> tuple[Page, ...]:
    """Return every page, by kind: terms, rules (``every`` one: ours), checks, facets, keys, errors, exit codes."""
    known = rules() if every is None else every
    return (
        *(_of_term(term, known) for term in terms()),
        *map(_of_rule, known),
        *(Page("check", c.id, _first(c.page), f"check {c.id}\n\n{cleandoc(c.page)}") for c in checks()),
        *map(_of_facet, sorted(FACETS)),
        *map(_of_key, keys().values()),
        *_errors(),
        *(
            Page("exit code", str(code.value), code.meaning, f"exit code {code.value}: {code.meaning}")
            for code in ExitCode
        ),
    )


def codes(every: tuple[Rule, ...] | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return the rules of each catalogue code that their pages name."""
    found: dict[str, list[str]] = {}
    for rule in rules() if every is None else every:
        for code in rule.codes:
            found.setdefault(code, []).append(rule.id)
    return {code: tuple(ids) for code, ids in sorted(found.items())}


def _called(name: str, known: tuple[Page, ...], every: tuple[Rule, ...] | None) -> Iterator[Page]:
    """Yield the pages that a name stands for."""
    if name == EXIT_CODES:
        rows = "\n".join(f"{code.value:>3}  {code.meaning}" for code in ExitCode)
        yield Page("exit code", EXIT_CODES, "how each command ends", f"exit codes\n\n{rows}")
        return
    term, key = by_word().get(plain(name)), find(name)
    wanted = {("term", term.name) if term else None, ("key", key.path) if key else None}
    wanted |= {("rule", rule) for rule in codes(every).get(name.upper(), ())}
    yield from (each for each in known if each.name == name or (each.kind, each.name) in wanted)


def _of_rule(rule: Rule) -> Page:
    asked = ", on request" if rule.on_request else ""
    whose = f"\n\nfrom {rule.file}" if rule.file else ""
    return Page("rule", rule.id, rule.summary, f"rule {rule.id} ({rule.severity.value}{asked})\n\n{rule.page}{whose}")


def _of_term(term: Term, every: tuple[Rule, ...]) -> Page:
    ids = (*(rule.id for rule in every), *(check.id for check in checks()))
    judges = [each for each in ids if any(fnmatchcase(each, one) for one in term.judged_by)]
    rows = (("also called", term.also), ("keys", term.keys), ("judged by", judges), ("see", term.see))
    links = "\n".join(f"{what}: {', '.join(listed)}" for what, listed in rows if listed)
    text = "\n\n".join(fill(each, _WIDE) for each in term.text.split("\n\n"))
    return Page("term", term.name, _sentence(term.text), f"term {term.title}\n\n{text}\n\n{links}".rstrip())


def _of_key(key: Key) -> Page:
    rows = (
        ("type", key.type),
        ("allowed", ", ".join(key.allowed)),
        ("default", "" if key.needed else key.default or "left out"),
        ("needed", "yes" if key.needed else ""),
        ("keys below", ", ".join(key.below)),
        ("see", ", ".join(term.name for term in terms() if any(find(each) is key for each in term.keys))),
    )
    shown = "\n".join(f"{what}: {said}" for what, said in rows if said)
    return Page("key", key.path, key.meaning, f"key {key.path}\n\n{key.meaning}\n\n{shown}")


def _of_facet(name: str) -> Page:
    """Make the page of a facet from its module: what it is, its keys, and what each row may hold."""
    module = import_module(f"fabric.settings.{name}")
    about = cleandoc(module.__doc__ or "").removeprefix(f"{name}: ")
    own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
    parts = [f"facet {name}", about]
    for each in own:
        if isinstance(each, type) and is_dataclass(each) and each.__doc__:
            said = cleandoc(each.__doc__)
            listed = "" if issubclass(each, Facet) else ", ".join(field.name for field in fields(each))
            parts.append(f"{each.__name__}: {said}" + (f"\n  fields: {listed}" if listed else ""))
    return Page("facet", name, about, "\n\n".join(parts))


def _errors() -> Iterator[Page]:
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, FabricError):
            said = cleandoc(kind.__doc__ or "")
            yield Page("error", name, _first(said), f"error {name}\n\n{said}")


def _first(text: str) -> str:
    return cleandoc(text).partition("\n")[0]


def _sentence(text: str) -> str:
    """Return the first sentence of a text, cut to what fits on a line of the list."""
    return shorten(re.split(r"(?<=\.)\s", text, maxsplit=1)[0], _WIDE, placeholder=" ...")


def listed(every: tuple[Rule, ...] | None = None) -> str:
    """Return the list of all pages by kind, a line each; ``every`` rule: ours."""
    groups: dict[str, list[Page]] = {}
    for each in pages(every):
        groups.setdefault(each.kind, []).append(each)
    lines: list[str] = []
    for kind, found in groups.items():
        width = max(len(each.name) for each in found)
        room = max(_LEAST, _WIDE - width - 4)
        rows = (f"  {each.name:<{width}}  {shorten(each.summary, room, placeholder=' ...')}" for each in found)
        lines += [f"{kind}s", *(row.rstrip() for row in rows), ""]
    return "\n".join(lines)

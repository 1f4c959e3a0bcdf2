"""From a file to a judged design: load, design, rules."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from pathlib import Path

from fabric.design.build import design as build
from fabric.design.model import Design, TrafficClass
from fabric.errors import IntentError, Problem, UsageError
from fabric.intent.document import Document
from fabric.intent.loader import load
from fabric.results import Finding
from fabric.rules.choice import chosen
from fabric.rules.contract import Rule, Subjects
from fabric.rules.folder import rules_in
from fabric.rules.runner import Around, judge, rules


@dataclass(frozen=True, slots=True)
class Asked:
    """By which rules a file is to be judged: those that ``select`` names, or all usual ones, but none of ``ignore``.

    Both are ids or patterns. ``folders`` hold rules of the user's own.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


USUAL = Asked()


@dataclass(frozen=True)
class Prepared:
    """A loaded file, its design, and what ``rules`` of all ``known`` ones say about both on the day ``today``."""

    document: Document
    design: Design
    findings: tuple[Finding, ...]
    today: date
    rules: tuple[Rule, ...]
    known: int

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that stop render and apply; what is waived does not."""
        return tuple(finding for finding in self.findings if finding.stops)

    @property
    def waived(self) -> tuple[Finding, ...]:
        """The findings that the user accepts."""
        return tuple(finding for finding in self.findings if finding.waived)


def prepare(
    file: str | Path, today: date | None = None, asked: Asked = USUAL, around: Around = nullcontext
) -> Prepared:
    """Load, design and judge a file; IntentError or DesignError when there is nothing to judge.

    ``today`` decides which waivers have ended; the day by this machine's clock unless it is given. ``around`` is what
    each part and each rule is run within. UsageError for rules that there are not.
    """
    day = today or datetime.now().astimezone().date()
    with around("find the rules"):
        known = every_rule(asked.folders)
        due = chosen(known, asked.select, asked.ignore)
    with around("load the file"):
        document = load(file)
    with around("design the fabric"):
        made = build(document)
    findings = judge(Subjects(document=document, design=made, network=made.network, today=day), due, known, around)
    return Prepared(document, made, findings, day, due, len(known))


def every_rule(folders: Iterable[Path]) -> tuple[Rule, ...]:
    """Return our rules, and those of the user's folders after them; UsageError when a file in there is none."""
    return (*rules(), *rules_in(folders, rules()))


def designed(file: str | Path) -> Design:
    """Load and design a file that nobody wants judged; errors as of `prepare`."""
    return build(load(file))


def sound(file: str | Path) -> Prepared:
    """Like `prepare`, but refuse (IntentError) a file with error findings."""
    prepared = prepare(file)
    if prepared.errors:
        problems = tuple(Problem(f"[{f.rule}] {f.message}", str(f.place or f.path), f.fix) for f in prepared.errors)
        raise IntentError(problems[0].message, where=problems[0].where, hint=problems[0].hint, problems=problems)
    return prepared


def known_class(design: Design, name: str) -> TrafficClass:
    """Return a class by its name; UsageError with the nearest names when there is none."""
    classes = {found.name: found for found in design.classes}
    if name in classes:
        return classes[name]
    near = get_close_matches(name, classes, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"classes: {', '.join(classes)}"
    raise UsageError(f"no class {name} in fabric {design.fabric}", hint=hint)


def known_node(design: Design, name: str) -> str:
    """Return a node's name; UsageError with its own name for a place, and with the nearest names for anything else."""
    if name in design.network.nodes:
        return name
    if own := next((own for own, place in design.places.items() if place == name), ""):
        raise UsageError(f"no node is called {name} in fabric {design.fabric}", hint=f"the one at that place is {own}")
    near = get_close_matches(name, design.network.nodes, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"nodes: {', '.join(list(design.network.nodes)[:12])} ..."
    raise UsageError(f"no node {name} in fabric {design.fabric}", hint=hint)

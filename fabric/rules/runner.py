"""Find the rules by their places, and run them over what there is to judge."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cache
from inspect import cleandoc, signature
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from fabric import rules as package
from fabric.intent.document import Document
from fabric.places import Place, modules
from fabric.results import Finding, Severity
from fabric.rules.choice import chosen, matching
from fabric.rules.contract import SECTIONS, Judged, Rule, Subject, Subjects, Violation
from fabric.rules.grouping import grouped
from fabric.rules.identity import identity, numbered
from fabric.rules.placing import Placing
from fabric.rules.waiving import waived

Around: TypeAlias = Callable[[str], AbstractContextManager[object]]
"""What each rule, by its id, is run within: a stop watch, or nothing."""

_ORDER = tuple(Severity)
_SUBJECTS = frozenset(Subjects.__dataclass_fields__)
_TEXTS = ("path", "message", "measured", "bound", "fix", "cause")


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule in order of ids; TypeError when a rule's module lacks what a rule must have."""
    return tuple(rule_of(module) for module in modules(package))


def rule_of(module: ModuleType) -> Rule:
    """Make the rule of a module; its id is its place. TypeError names all that the module lacks."""
    group, name = module.__name__.split(".")[-2:]
    page = cleandoc(module.__doc__ or "")
    check = getattr(module, "check", None)
    severity = getattr(module, "SEVERITY", None)
    certain_loss = getattr(module, "CERTAIN_LOSS", False)
    on_request = getattr(module, "ON_REQUEST", False)
    subjects = tuple(signature(check).parameters) if callable(check) else ()
    wrong = [f"no section {title!r} in its docstring" for title in SECTIONS if f"\n{title}\n" not in page]
    wrong += [f"parameter {name!r} of check is no subject" for name in subjects if name not in _SUBJECTS]
    if not subjects:
        wrong.append("no function check with subjects as parameters")
    if not isinstance(severity, Severity):
        wrong.append("no SEVERITY")
    if not isinstance(certain_loss, bool) or not isinstance(on_request, bool):
        wrong.append("CERTAIN_LOSS or ON_REQUEST is neither True nor False")
    if wrong or check is None or not isinstance(severity, Severity):
        raise TypeError(f"{module.__name__} is not a rule: {'; '.join(wrong)}")
    return Rule(
        f"{group}.{name}".replace("_", "-"), page, severity, subjects, check, bool(certain_loss), bool(on_request)
    )


def page(rule_id: str) -> str:
    """Return the page of a rule for people; UsageError when there is no such rule."""
    (rule,) = matching(rules(), rule_id, exact=True)
    return f"{rule.id} ({rule.severity.value})\n\n{rule.page}\n"


def run(subjects: Subjects, select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Finding, ...]:
    """Judge by the rules of ours that ``select`` and ``ignore`` leave (see `chosen`)."""
    return judge(subjects, chosen(rules(), select, ignore), rules())


def judge(
    subjects: Subjects, due: Sequence[Rule], every: Sequence[Rule], around: Around = nullcontext
) -> tuple[Finding, ...]:
    """Run the rules that are ``due``, some or all of ``every`` one, as far as their subjects are there.

    Errors come first, then findings are in order of rule ids and of the network; what the document's waivers cover
    comes last, with their reasons. Findings with one cause are one finding (see `grouped`).
    """
    about_waivers = [rule for rule in due if _about_waivers(rule)]
    # Whether a waiver covers anything is known when all have spoken that usually do.
    asked = [rule for rule in every if rule in due or (about_waivers and not rule.on_request)]
    whole = judged(subjects, asked, every, around)
    first = whole.judged.findings if whole.judged else ()
    waivers = subjects.document.intent.waivers if subjects.document else ()
    found = (
        *waived(first, waivers, every, subjects.today),
        *run_rules(about_waivers, whole, around),
    )
    shown = frozenset(rule.id for rule in due)
    return grouped(_in_order(finding for finding in found if finding.rule in shown))


def judged(
    subjects: Subjects,
    asked: Iterable[Rule] | None = None,
    every: Sequence[Rule] | None = None,
    around: Around = nullcontext,
) -> Subjects:
    """Return subjects with what rules say of them, but for those about waivers, which nobody can waive.

    ``asked`` are all usual rules and ``every`` all of ours unless they are given.
    """
    known = rules() if every is None else tuple(every)
    usual = (rule for rule in known if not rule.on_request)
    running = tuple(rule for rule in (usual if asked is None else asked) if not _about_waivers(rule))
    found = run_rules(running, subjects, around)
    return replace(subjects, judged=Judged(found, known, frozenset(rule.id for rule in running)))


def _about_waivers(rule: Rule) -> bool:
    return rule.id.startswith("waivers.")


def run_rules(chosen: Iterable[Rule], subjects: Subjects, around: Around = nullcontext) -> tuple[Finding, ...]:
    """Run these rules, one finding per violation; one that raises becomes an error finding that names it as broken."""
    there = subjects.named()
    placing = Placing(subjects)
    findings: list[Finding] = []
    for rule in chosen:
        if there.keys() >= set(rule.subjects):
            with around(rule.id):
                findings += _findings(rule, there, subjects.document, placing)
    return _in_order(findings)


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return what stops first, then the worse before the better, and what is waived last."""
    return tuple(sorted(findings, key=lambda finding: (bool(finding.waived), _ORDER.index(finding.severity))))


def _findings(rule: Rule, there: dict[str, Subject], document: Document | None, placing: Placing) -> list[Finding]:
    seen: Counter[str] = Counter()
    found = []
    try:
        for violation in rule.check(**{name: there[name] for name in rule.subjects}):
            _refuse_strange(violation)
            named = identity(violation.path, document)
            place = placing.of(violation.cause or violation.path)
            found.append(_finding(rule, violation, place, numbered(named, seen[named])))
            seen[named] += 1
    except Exception as error:  # noqa: BLE001 - the border: one broken rule must not hide what the others say
        return [_broken(rule, error)]
    return found


def _refuse_strange(said: object) -> None:
    """Raise TypeError for what is no violation, or one with anything but texts: reports are made of texts."""
    if not isinstance(said, Violation):
        raise TypeError(f"check yields {type(said).__name__}, not Violation")
    wrong = [name for name in _TEXTS if not isinstance(getattr(said, name), str)]
    if wrong or not isinstance(said.severity, Severity | None):
        raise TypeError(f"{', '.join(wrong) or 'severity'} of a Violation is of the wrong type")


def _finding(rule: Rule, violation: Violation, place: Place | None, named: str) -> Finding:
    return Finding(
        rule=rule.id,
        severity=violation.severity or rule.severity,
        path=violation.path,
        message=violation.message,
        measured=violation.measured,
        bound=violation.bound,
        fix=violation.fix,
        place=place,
        identity=named,
    )


def _broken(rule: Rule, error: Exception) -> Finding:
    fix = "this is a bug in fabric: report it together with the file that shows it"
    if rule.file:
        code = str(Path(rule.file).absolute())
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == code]
        fix = f"mend {':'.join([rule.file, *map(str, lines[-1:])])}"
    return Finding(
        rule=rule.id,
        severity=Severity.ERROR,
        path="",
        message=f"the rule itself is broken ({type(error).__name__}: {error}); nothing was judged by it",
        fix=fix,
    )

"""Find the rules by their places, and run them over what there is to judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from inspect import cleandoc, signature
from types import ModuleType

from fabric import rules as package
from fabric.errors import UsageError
from fabric.places import Place, modules
from fabric.results import Finding, Severity
from fabric.rules.contract import SECTIONS, Judged, Rule, Subject, Subjects, Violation
from fabric.rules.grouping import grouped
from fabric.rules.waiving import waived

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_SUBJECTS = frozenset(Subjects.__dataclass_fields__)


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
    (rule,) = _matching(rule_id, exact=True)
    return f"{rule.id} ({rule.severity.value})\n\n{rule.page}\n"


def run(subjects: Subjects, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Run the rules whose subjects are there; errors first, then in order of rule ids and of the network.

    What the document's waivers cover comes last, with their reasons. Findings with one cause are one finding (see
    `grouped`). ``select`` and ``ignore`` say which are returned, by ids or patterns (``ecn.*``); UsageError when one
    names no rule.
    """
    usual = {rule.id for rule in rules() if not rule.on_request}
    chosen = {rule.id for pattern in select for rule in _matching(pattern)} or usual
    chosen -= {rule.id for pattern in ignore for rule in _matching(pattern)}
    whole = judged(subjects, frozenset(chosen))
    first = whole.judged.findings if whole.judged else ()
    waivers = subjects.document.intent.waivers if subjects.document else ()
    about_waivers = run_rules((rule for rule in rules() if _about_waivers(rule)), whole)
    found = (*waived(first, waivers, rules(), subjects.today), *about_waivers)
    return grouped(_in_order(finding for finding in found if finding.rule in chosen))


def judged(subjects: Subjects, requested: frozenset[str] = frozenset()) -> Subjects:
    """Return subjects with what all rules say of them but those about waivers, which nobody can waive.

    Of rules that only run on request, those with the ids in ``requested`` do.
    """
    due = (rule for rule in rules() if not rule.on_request or rule.id in requested)
    found = run_rules((rule for rule in due if not _about_waivers(rule)), subjects)
    return replace(subjects, judged=Judged(found, rules()))


def _about_waivers(rule: Rule) -> bool:
    return rule.id.startswith("waivers.")


def run_rules(chosen: Iterable[Rule], subjects: Subjects) -> tuple[Finding, ...]:
    """Run these rules, one finding per violation; one that raises becomes an error finding that names it as broken."""
    there = subjects.named()
    findings = [
        finding for rule in chosen if there.keys() >= set(rule.subjects) for finding in _findings(rule, there, subjects)
    ]
    return _in_order(findings)


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return what stops first, then the worse before the better, and what is waived last."""
    return tuple(sorted(findings, key=lambda finding: (bool(finding.waived), _ORDER.index(finding.severity))))


def _matching(pattern: str, *, exact: bool = False) -> tuple[Rule, ...]:
    found = tuple(rule for rule in rules() if rule.id == pattern or (not exact and fnmatchcase(rule.id, pattern)))
    if not found:
        near = get_close_matches(pattern, [rule.id for rule in rules()], n=1)
        hint = f"did you mean {near[0]}?" if near else f"rules: {', '.join(rule.id for rule in rules())}"
        raise UsageError(f"there is no rule {pattern!r}", hint=hint)
    return found


def _findings(rule: Rule, there: dict[str, Subject], subjects: Subjects) -> list[Finding]:
    try:
        violations = tuple(rule.check(**{name: there[name] for name in rule.subjects}))
    except Exception as error:  # noqa: BLE001 - the border: one broken rule must not hide what the others say
        return [_broken(rule, error)]
    return [_finding(rule, violation, subjects) for violation in violations]


def _finding(rule: Rule, violation: Violation, subjects: Subjects) -> Finding:
    return Finding(
        rule=rule.id,
        severity=violation.severity or rule.severity,
        path=violation.path,
        message=violation.message,
        measured=violation.measured,
        bound=violation.bound,
        fix=violation.fix,
        place=_place(violation.path, subjects),
    )


def _broken(rule: Rule, error: Exception) -> Finding:
    return Finding(
        rule=rule.id,
        severity=Severity.ERROR,
        path="",
        message=f"the rule itself is broken ({type(error).__name__}: {error}); nothing was judged by it",
        fix="this is a bug in fabric: report it together with the file that shows it",
    )


def _place(path: str, subjects: Subjects) -> Place | None:
    """Return where in the user's file an object comes from: its origin, the key of its path, or its node's role."""
    origins = subjects.design.origins if subjects.design else {}
    for nearest in _enclosing(path):
        origin = origins.get(nearest)
        if origin is not None and origin.place is not None:
            return origin.place
    if subjects.document is None:
        return None
    return subjects.document.place(path) or subjects.document.place(_role_path(path, subjects))


def _role_path(path: str, subjects: Subjects) -> str:
    nodes = subjects.design.network.nodes if subjects.design else {}
    # Names may hold dots: of those that a path begins with, the longest is meant.
    node = next((nodes[name] for name in _enclosing(path) if name in nodes), None)
    if node is None:
        return ""
    return f"topology.{'switches' if node.kind == 'switch' else 'hosts'}.{node.role}"


def _enclosing(path: str) -> Iterator[str]:
    """Yield a path and all that it lies in, from the inside out."""
    while path:
        yield path
        path = path.rpartition(".")[0]

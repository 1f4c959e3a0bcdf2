"""Break the rules, one comparison, sum or number at a time, and name what no case of theirs notices.

usage: python mutate.py [--jobs N] [NAME ...]

A NAME is a rule or a pattern (ecn.tiny, ecn.*), or a module that rules share (spots); default: all of both. Of each
file a copy is made per change (`<` becomes `<=` or `>`, `+` becomes `-`, `and` becomes `or`, 3 becomes 4 ...), and
judges the cases of the rule, or of every rule that uses the module. A change that all cases agree with has survived:
a case is missing there, or the change makes no difference. Words are left alone: message and fix of a violation. Exit
code 1: cases of a rule fail before anything is broken.

It works in one process per core and keeps what the cases are made of, so that a change costs milliseconds. Tools that
start the tests anew for every change take seconds for each.
"""

from __future__ import annotations

import argparse
import ast
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from fabric.errors import UsageError
from fabric.rules.choice import matching
from fabric.rules.contract import Rule, Subjects
from fabric.rules.runner import rule_of, rules

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "rules"
# A broken loop may never end. All cases of a sound rule take a fraction of it.
SECONDS = 30
WORDS = {"message", "fix"}
ANALYSIS = "fabric.analysis."
OURS = ("fabric.rules.", ANALYSIS)

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


@dataclass(frozen=True)
class Change:
    """One change of a file: its line, what stood there, and what stands there instead."""

    line: int
    before: str
    after: str


@dataclass(frozen=True)
class Outcome:
    """What became of the changes of one file. ``failing`` are rules whose cases fail before anything is broken."""

    name: str
    file: str
    made: int = 0
    survived: tuple[Change, ...] = ()
    failing: tuple[str, ...] = ()


class TooLongError(BaseException):
    """A broken rule does not end. No rule's own handler stops it."""


def changes(tree: ast.Module) -> Iterator[tuple[Change, ast.Module]]:
    """Yield every change of a module with its tree, in which it is made until the next one is asked for."""
    for holder, key, node in list(_below(tree)):
        for variant in list(_variants(node)):
            _put(holder, key, ast.fix_missing_locations(ast.copy_location(variant, node)))
            yield Change(node.lineno, ast.unparse(node), ast.unparse(variant)), tree
            _put(holder, key, node)


def _below(node: ast.AST) -> Iterator[tuple[Any, Any, ast.expr]]:
    """Yield the expressions of the code, each with what holds it and where; no annotations, docstrings and words."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        slots = [(value, *each) for each in enumerate(value)] if isinstance(value, list) else [(node, name, value)]
        for holder, key, child in slots:
            if not isinstance(child, ast.AST) or (isinstance(child, ast.keyword) and child.arg in WORDS):
                continue
            if isinstance(child, ast.expr):
                yield holder, key, child
            yield from _below(child)


def _put(holder: Any, key: Any, node: ast.expr) -> None:
    if isinstance(holder, list):
        holder[key] = node
    else:
        setattr(holder, key, node)


def _variants(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what may stand in the place of an expression."""
    match node:
        case ast.Compare():
            for at, op in enumerate(node.ops):
                for other in COMPARED[type(op)]:
                    yield ast.Compare(node.left, [*node.ops[:at], other(), *node.ops[at + 1 :]], node.comparators)
        case ast.BinOp() if type(node.op) in RECKONED and not _is_text(node):
            yield ast.BinOp(node.left, RECKONED[type(node.op)](), node.right)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name], ast.Load()), node.args, node.keywords)


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(each, ast.JoinedStr) or (isinstance(each, ast.Constant) and isinstance(each.value, str))
        for each in (node.left, node.right)
    )


class Broken:
    """Rules of which a module is replaced by a changed one while the block runs; everything is as it was afterwards."""

    def __init__(self, module: str, users: Sequence[Rule]) -> None:
        self._module = module
        self._names = [rule.check.__module__ for rule in users]
        self._away = {name for name in self._names if name != module} | _between(module, self._names)

    @contextmanager
    def rules(self, tree: ast.Module) -> Iterator[tuple[Rule, ...]]:
        """Give the rules as the changed tree has them; none where it cannot even be loaded."""
        kept = {name: sys.modules[name] for name in (*self._away, self._module)}
        changed = ModuleType(self._module)
        for name in self._away:
            del sys.modules[name]
        sys.modules[self._module] = changed
        try:
            with limited():
                exec(compile(tree, "<changed>", "exec"), vars(changed))  # noqa: S102  # code of this repository
                made = tuple(rule_of(import_module(name)) for name in self._names)
        except (Exception, TooLongError):  # noqa: BLE001  # whatever a change breaks, it is noticed
            made = ()
        try:
            yield made
        finally:
            sys.modules.update(kept)


@cache
def _imports(module: str) -> frozenset[str]:
    """Return the modules of rules and of analysis that one of them imports."""
    tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
    found = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return frozenset(name for name in found if name.startswith(OURS) and name in sys.modules)


@cache
def _reached(module: str) -> frozenset[str]:
    """Return what a module imports itself and by others."""
    found = _imports(module)
    return found.union(*map(_reached, found))


def _between(module: str, users: Iterable[str]) -> set[str]:
    """Return the modules by which users get at a module."""
    return {name for user in users for name in _reached(user) if module in _reached(name)}


def shared() -> Mapping[str, tuple[Rule, ...]]:
    """Return the modules of analysis that rules share, each with the rules that use it."""
    found: dict[str, list[Rule]] = {}
    for rule in rules():
        for name in sorted(_reached(rule.check.__module__)):
            if name.startswith(ANALYSIS):
                found.setdefault(name.removeprefix(ANALYSIS), []).append(rule)
    return {name: tuple(users) for name, users in sorted(found.items())}


@contextmanager
def limited() -> Iterator[None]:
    """Raise TooLongError in what does not end."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TooLongError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Cases:
    """The cases of one rule, made once."""

    def __init__(self, rule: Rule) -> None:
        judge, rows = _loaded("rule_cases"), _loaded("conftest")
        self._meets = judge.meets
        read = (case for kind in judge.KINDS for case in judge.cases_of(rule.id).get(kind, {}).values())
        self._made = [(case, judge.prepared(rule, case, rows.subjects(case))) for case in read]

    def agree(self, rule: Rule) -> bool:
        """Tell whether there are cases, and a rule says of all of them what is expected."""
        try:
            with limited():
                for case, subjects in self._made:
                    _forget(subjects)
                    self._meets(rule, case, subjects)
        except (AssertionError, TooLongError):
            return False
        return bool(self._made)


def _forget(subjects: Subjects) -> None:
    """Take away what rules have kept of earlier runs: a changed one is to work it out again."""
    for network in (subjects.network, subjects.design.network if subjects.design else None):
        if network is not None:
            network.memo.clear()


def _loaded(name: str) -> Any:
    found = f"rules_tests_{name}"
    if found not in sys.modules:
        spec = spec_from_file_location(found, TESTS / f"{name}.py")
        if spec is None or spec.loader is None:
            raise ImportError(name)
        sys.modules[found] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[found])
    return sys.modules[found]


def outcome(name: str) -> Outcome:
    """Break a rule, or a module that rules share, in every way, and return what no case noticed."""
    users = shared().get(name) or tuple(rule for rule in rules() if rule.id == name)
    module = f"{ANALYSIS}{name}" if "." not in name else users[0].check.__module__
    file = Path(str(sys.modules[module].__file__))
    shown = str(file.relative_to(ROOT))
    cases = {rule.id: Cases(rule) for rule in users}
    failing = tuple(rule.id for rule in users if not cases[rule.id].agree(rule))
    sound = [rule for rule in users if rule.id not in failing]
    if not sound:
        return Outcome(name, shown, failing=failing)
    made, survived = 0, []
    replaced = Broken(module, sound)
    for change, tree in changes(ast.parse(file.read_text(encoding="utf-8"))):
        made += 1
        with replaced.rules(tree) as found:
            if found and all(cases[rule.id].agree(rule) for rule in found):
                survived.append(change)
    return Outcome(name, shown, made, tuple(survived), failing)


def wanted(patterns: Sequence[str]) -> list[str]:
    """Return the rules and shared modules that are meant; UsageError for a name that is neither."""
    if not patterns:
        return [*(rule.id for rule in rules()), *shared()]
    found = ([name] if name in shared() else [rule.id for rule in matching(rules(), name)] for name in patterns)
    return list(dict.fromkeys(each for names in found for each in names))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what survived of each file, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="rules, patterns, shared modules; default: all")
    parser.add_argument("--jobs", type=int, default=2, help="how many files at a time")
    given = parser.parse_args(arguments)
    try:
        names = wanted(given.names)
    except UsageError as error:
        parser.error(f"{error.message}; {error.hint}")
    found = []
    with get_context("fork").Pool(given.jobs) as pool:
        for each in pool.imap(outcome, names):
            found.append(each)
            _say(each)
    made, survived = sum(each.made for each in found), sum(len(each.survived) for each in found)
    print(f"{len(found)} files: {made} changes, {made - survived} noticed, {survived} survived")
    return int(any(each.failing for each in found))


def _say(each: Outcome) -> None:
    print(f"{each.name}: {each.made} changes, {len(each.survived)} survived", flush=True)
    if each.failing:
        print(f"  cases are missing, or fail before anything is broken: {', '.join(each.failing)}")
    for change in each.survived:
        print(f"  {each.file}:{change.line}: {_short(change.before)}  ->  {_short(change.after)}")


def _short(text: str) -> str:
    most = 90
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]} ..."


if __name__ == "__main__":
    sys.exit(main())

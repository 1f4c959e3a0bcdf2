"""Rules of the user's own: ``FOLDER/<group>/<rule>.py``, of the same form as ours. To load them is to run code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from fabric.errors import Problem, UsageError
from fabric.rules.contract import Rule
from fabric.rules.runner import rule_of

_PACKAGE = "rules_of_the_user"
_FORM = "a rule lies in FOLDER/<group>/<rule>.py, both in small letters, digits and _"


def rules_in(folders: Iterable[Path], ours: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return the rules of these folders in order of ids.

    UsageError names every file that is no rule, with the line that is at fault where one is, and every rule that has
    the id of another one.
    """
    taken = {rule.id: rule for rule in ours}
    problems: list[Problem] = []
    found: list[Rule] = []
    for file in (file for folder in folders for file in _files(folder)):
        made = _rule(file)
        if isinstance(made, Problem):
            problems.append(made)
        elif made.id in taken:
            whose = taken[made.id].file or "fabric itself"
            problems.append(Problem(f"there is a rule {made.id} already, in {whose}", str(file), "rename this one"))
        else:
            taken[made.id] = made
            found.append(made)
    if problems:
        first = problems[0]
        raise UsageError(first.message, where=first.where, hint=first.hint, problems=tuple(problems))
    return tuple(sorted(found, key=lambda rule: rule.id))


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that must be rules, in order; those that begin with ``_`` are none."""
    if not folder.is_dir():
        raise UsageError("there is no such folder of rules", where=str(folder), hint=_FORM)
    files = [file for file in sorted(folder.glob("*/*.py")) if not file.name.startswith("_")]
    if not files:
        raise UsageError("this folder holds no rule", where=str(folder), hint=_FORM)
    yield from files


def _rule(file: Path) -> Rule | Problem:
    """Return the rule of a file, or what is wrong with it."""
    names = (file.parent.name, file.stem)
    if not all(name.isidentifier() and name.islower() for name in names):
        return Problem("this is no name of a rule", str(file), _FORM)
    try:
        return replace(rule_of(_module(file, ".".join((_PACKAGE, *names)))), file=str(file))
    except TypeError as error:
        if (line := _line_in(file, error)) is None:  # what the module lacks, and not what its code did
            said = str(error).partition(": ")[2] or str(error)
            return Problem(f"this is no rule: {said}", str(file), "`docs/howto/write-a-rule.md` says what a rule has")
        return _raised(file, error, line)
    except SyntaxError as error:
        hint = f"the line is: {(error.text or '').strip()}"
        return Problem(f"this is no Python: {error.msg}", f"{file}:{error.lineno or 1}", hint)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a border: what runs here is the user's own code
        return _raised(file, error, _line_in(file, error))


def _raised(file: Path, error: BaseException, line: int | None) -> Problem:
    said = f"it cannot be loaded: {type(error).__name__}: {error}"
    hint = "what stands outside of functions runs when the file is loaded: it must not fail"
    if isinstance(error, ImportError):
        hint = "install what it imports into the environment of fabric, or take the import out"
    return Problem(said, str(file) if line is None else f"{file}:{line}", hint)


def _line_in(file: Path, error: BaseException) -> int | None:
    """Return the line of a file in which an exception came up, ``None`` where none of its lines had a part in it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(file.absolute())]
    return lines[-1] if lines else None


def _module(file: Path, name: str) -> ModuleType:
    """Run a file as a module of this name; dataclasses look for the module of their class where modules are kept."""
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError("this file cannot be loaded as Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module

"""Many problems as one error, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fabric.errors import IntentError, Problem

MOST_PROBLEMS: Final = 500


def as_error(problems: Iterable[Problem]) -> IntentError:
    """Return the error that carries these problems, each once; beyond `MOST_PROBLEMS` they are only counted."""
    ordered = sorted(dict.fromkeys(problems), key=_position)
    shown = ordered[:MOST_PROBLEMS]
    if len(ordered) > MOST_PROBLEMS:
        shown.append(Problem(f"and {len(ordered) - MOST_PROBLEMS} more problems", shown[-1].where, "mend these first"))
    first = shown[0]
    return IntentError(first.message, where=first.where, hint=first.hint, problems=tuple(shown))


def _position(problem: Problem) -> tuple[bool, str, int, int]:
    """Return what problems are ordered by: the intent file before the lists that it names."""
    file, *numbers = problem.where.rsplit(":", 2)
    line, column = numbers if len(numbers) == 2 and all(n.isdecimal() for n in numbers) else ("0", "0")
    return file.endswith(".csv"), file, int(line), int(column)

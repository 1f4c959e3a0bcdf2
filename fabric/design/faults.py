"""How this layer refuses an intent: with the place of the key that is to be changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from fabric.errors import DesignError, Problem
from fabric.intent.document import Document
from fabric.intent.problems import MOST_PROBLEMS
from fabric.places import Place


def fault(document: Document, path: str | Place, message: str, hint: str = "") -> DesignError:
    """Return the error for what stands under ``path`` (``topology.cables.0``) in the intent, or at a line of a list."""
    place = path if isinstance(path, Place) else document.place(path)
    return DesignError(message, where=str(place) if place else f"{document.file} ({path})", hint=hint)


@contextmanager
def placed(document: Document, path: str) -> Iterator[None]:
    """Give a DesignError without a place that is raised inside the place of ``path``."""
    try:
        yield
    except DesignError as error:
        if error.where:
            raise
        raise fault(document, path, f"{path}: {error.message}", error.hint) from error


class Gathered:
    """Faults that do not keep one another from being seen, raised together.

    Used as a context as often as there is something to try; `end` raises what came up.
    """

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def __enter__(self) -> None:
        """Begin a try."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        """Keep a DesignError for later; anything else goes on."""
        if not isinstance(error, DesignError):
            return False
        self._problems += error.problems
        return True

    @property
    def full(self) -> bool:
        """Whether more came up than anybody is shown."""
        return len(self._problems) >= MOST_PROBLEMS

    def end(self) -> None:
        """Raise a DesignError that carries every problem, each once; nothing where there is none."""
        problems = tuple(dict.fromkeys(self._problems))
        if problems:
            first = problems[0]
            raise DesignError(first.message, where=first.where, hint=first.hint, problems=problems)

"""How this layer refuses an intent: with the place of the key that is to be changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fabric.errors import DesignError
from fabric.intent.document import Document


def fault(document: Document, path: str, message: str, hint: str = "") -> DesignError:
    """Return the error for what stands under ``path`` (``topology.cables.0``) in the intent."""
    place = document.place(path)
    return DesignError(message, where=str(place) if place else f"{document.file} ({path})", hint=hint)


@contextmanager
def placed(document: Document, path: str) -> Iterator[None]:
    """Give a DesignError that is raised inside the place of ``path``."""
    try:
        yield
    except DesignError as error:
        raise fault(document, path, f"{path}: {error.message}", error.hint) from error

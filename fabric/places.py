"""Places: where something stands in a file, where our own files are kept, and what lies in a folder of ours."""

from __future__ import annotations

import os
import pkgutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from platformdirs import user_state_dir


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a text file; ``line`` and ``column`` count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Import what lies one folder below a package, in order of names: there, the place is the registration."""
    for folder in _below(package):
        if hasattr(folder, "__path__"):
            yield from _below(folder)


def _below(package: ModuleType) -> Iterator[ModuleType]:
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        yield import_module(f"{package.__name__}.{found.name}")


def state_folder() -> Path:
    """Return where this machine keeps runs and labs: ``FABRIC_STATE``, else the user's state folder."""
    given = os.environ.get("FABRIC_STATE")
    return Path(given) if given else Path(user_state_dir("fabric"))


def lab_folder(fabric: str) -> Path:
    """Return the folder in which the lab of a fabric publishes itself (``access.json`` among others)."""
    return state_folder() / "labs" / fabric


def put_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all: under a temporary name beside it, then moved. OSError when it cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        error.filename = str(path)  # not the temporary one, which nobody asked for
        raise

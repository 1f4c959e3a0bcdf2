"""Files that a command works on and writes; what cannot be written is told before anything else is done."""

from __future__ import annotations

import os
from pathlib import Path

from fabric.errors import UsageError


def intent_file(given: Path | None) -> Path:
    """Return the file that a command works on."""
    return given or Path(os.environ.get("FABRIC_FILE") or "fabric.yaml")


def file_to_write(path: Path | None) -> Path | None:
    """Return the path of a file that can be written; UsageError when it is a folder, or its folder cannot hold it."""
    if path is not None:
        if path.is_dir():
            raise UsageError("this is a folder, and a file is to be written", where=str(path), hint="name a file in it")
        _check_folder(path.parent, path)
    return path


def folder_to_fill(path: Path | None) -> Path | None:
    """Return the path of a folder that can be filled; UsageError when it is a file, or cannot be made or written."""
    if path is not None:
        _check_folder(path, path)
    return path


def _check_folder(folder: Path, wanted: Path) -> None:
    """Look at the nearest folder that is there: the others are made in it."""
    there = next(each for each in (folder, *folder.parents) if os.path.lexists(each))
    if not there.is_dir():
        what = "this is a file, and a folder is wanted" if there == wanted else f"{there} is no folder"
        raise UsageError(what, where=str(wanted), hint="name another place, or move that file away")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(
            f"nothing can be written in {there}", where=str(wanted), hint="change its rights, or name another place"
        )

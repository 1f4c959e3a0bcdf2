"""Starting: files to begin with. The presets are the files beside this module; a further file is a further preset."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Final

from fabric.errors import UsageError
from fabric.intent.names import NAME_PATTERN
from fabric.places import put_whole

_SUFFIX: Final = ".yaml"
_NAME_LINE: Final = re.compile(r"^fabric: .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Preset:
    """A commented file to begin with; ``summary`` is its first line, without a full stop."""

    name: str
    text: str

    @property
    def summary(self) -> str:
        """What it is, in one line."""
        return self.text.partition("\n")[0].removeprefix("# ").removesuffix(".")


def presets() -> tuple[Preset, ...]:
    """Return all presets in order of their names."""
    found = files("fabric.workflows").joinpath("presets").iterdir()
    rows = ((entry.name.removesuffix(_SUFFIX), entry) for entry in found if entry.name.endswith(_SUFFIX))
    return tuple(
        Preset(name, entry.read_text(encoding="utf-8")) for name, entry in sorted(rows, key=lambda row: row[0])
    )


def starter(preset: str | None, name: str | None) -> str:
    """Return the text of a preset under the name of the new fabric (``None``: the preset's own).

    UsageError with the list of presets where none is named, with the nearest one where there is none of this name,
    and where ``name`` is no name.
    """
    known = {each.name: each for each in presets()}
    if preset is None:
        width = max(map(len, known))
        listed = "\n".join(f"  {each.name:<{width}}  {each.summary}" for each in known.values())
        raise UsageError(f"a preset to begin with is wanted:\n{listed}", hint="such as: fabric init --preset rail")
    if preset not in known:
        near = get_close_matches(preset, known, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"there is no preset {preset!r}", hint=f"{meant}presets: {', '.join(known)}")
    if name is None:
        return known[preset].text
    if re.fullmatch(NAME_PATTERN.removesuffix("$"), name) is None:
        hint = "at most 31 lower-case letters, digits and hyphens, a letter first, such as west-1"
        raise UsageError(f"--name: {name!r} is no name of a fabric", hint=hint)
    return _NAME_LINE.sub(f"fabric: {name}", known[preset].text, count=1)


def put_new(text: str, output: str, *, force: bool) -> Path:
    """Write a file and return its path; ``output`` is a file, or a folder for a ``fabric.yaml`` in it.

    A folder that is not there yet is told by its final slash. UsageError when the file is there and ``force`` is not
    given: what is in it is kept. OSError where it cannot be written.
    """
    given = Path(output)
    path = given / "fabric.yaml" if given.is_dir() or output.endswith(os.sep) else given
    if os.path.lexists(path) and not force:
        hint = "give another place with -o, or replace it with --force"
        raise UsageError("the file is there already, and is left as it is", where=str(path), hint=hint)
    put_whole(path, text)
    return path

"""The bytes of an intent file: found, read within bounds, decoded, and free of characters that deceive readers."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fabric.errors import IntentError, Problem

FILE_NAME: Final = "fabric.yaml"
LARGEST_FILE: Final = 2 * 2**20
"""Bytes; what the YAML parser reads in a second or two, and hundreds of times the size of a large fabric's file."""
_UTF8_BOM: Final = b"\xef\xbb\xbf"
_OTHER_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")

# Control characters but tab and line ends; C1 controls; line separators, which editors and parsers count differently;
# direction marks and overrides, which show a text in another order than it is read; what is invisible or no character.
_FORBIDDEN: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff"
)
FORBIDDEN: Final = re.compile(f"[{_FORBIDDEN}]")
"""What may stand nowhere in the file."""
FORBIDDEN_IN_VALUES: Final = re.compile(f"[{_FORBIDDEN}\t\n\r]")
"""What may not come out of a quoted or folded text either: values end up in single lines of configuration."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as text: ``file`` is its name as the user gave it, ``digest`` the SHA-256 of its bytes."""

    file: str
    text: str
    digest: str


def read_source(path: str | Path) -> Source:
    """Read a ``fabric.yaml``, given itself or by its folder; IntentError where it is missing or no text."""
    file = _locate(path)
    text, data = read_text(file, LARGEST_FILE, "an intent file is small text; long lists go into CSV files beside it")
    return Source(str(file), text, sha256(data).hexdigest())


def read_text(file: Path, largest: int, hint: str) -> tuple[str, bytes]:
    """Return a file as text and as the bytes that it is made of; ``hint`` is for files of more than ``largest`` bytes.

    Raises IntentError where it cannot be read, is too large, or is no plain text in UTF-8.
    """
    data = _read(file, largest, hint)
    return _decode(data, str(file)), data


def _locate(path: str | Path) -> Path:
    given = Path(path)
    try:
        mode = given.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise IntentError(f"there is no {given}", where=str(given), hint=f"give a {FILE_NAME} or its folder") from None
    except (OSError, ValueError) as problem:
        raise IntentError(_unreadable(problem), where=str(given), hint="give a file that can be read") from None
    if stat.S_ISREG(mode):
        return given
    if not stat.S_ISDIR(mode):
        raise IntentError("this is neither a file nor a folder", where=str(given), hint=f"give a {FILE_NAME}")
    inner = given / FILE_NAME
    if inner.is_file():
        return inner
    similar = sorted(p.name for p in given.glob("*.y*ml"))[:5] if not inner.exists() else []
    hint = f"it holds {', '.join(similar)}: give that file, or name it {FILE_NAME}" if similar else ""
    raise IntentError(
        f"the folder has no {FILE_NAME}",
        where=str(given),
        hint=hint or f"give a {FILE_NAME} or its folder",
    )


def _read(file: Path, largest: int, hint: str) -> bytes:
    try:
        with open(file, "rb", opener=_without_waiting) as stream:
            data = stream.read(largest + 1) or b""  # none, where it would have to wait
    except OSError as problem:
        raise IntentError(_unreadable(problem), where=str(file), hint="give a file that can be read") from None
    if len(data) > largest:
        raise IntentError(f"the file is larger than {largest // 2**20} MiB", where=str(file), hint=hint)
    return data


def _without_waiting(path: str, flags: int) -> int:
    """Open a file that may have become a pipe since, or that answers only when something happens, such as a log."""
    return os.open(path, flags | os.O_NONBLOCK)


def _unreadable(problem: OSError | ValueError) -> str:
    reason = problem.strerror if isinstance(problem, OSError) else str(problem)
    return f"the file cannot be read: {(reason or 'unknown reason').lower()}"


def _decode(data: bytes, file: str) -> str:
    if data.startswith(_OTHER_BOMS):
        raise IntentError("the file is UTF-16", where=f"{file}:1:1", hint="save it as UTF-8")
    body = data.removeprefix(_UTF8_BOM)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = body[: problem.start].decode("utf-8", errors="replace")
        raise IntentError(
            f"the file is not text in UTF-8: byte 0x{body[problem.start]:02x}",
            where=where_in(before, len(before), file),
            hint="save it as UTF-8",
        ) from None
    _refuse_characters(text, file)
    return text


def _refuse_characters(text: str, file: str) -> None:
    found = [
        Problem(
            f"the file holds the invisible character U+{ord(match[0]):04X}",
            where_in(text, match.start(), file),
            "remove it: control characters and marks of writing direction are not allowed, not even in comments",
        )
        for match, _ in zip(FORBIDDEN.finditer(text), range(20), strict=False)
    ]
    if found:
        raise IntentError(found[0].message, where=found[0].where, hint=found[0].hint, problems=tuple(found))


def where_in(text: str, offset: int, file: str) -> str:
    """Return the position of an offset; a line ends with LF, CR LF, or CR alone, as YAML counts them."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return f"{file}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"

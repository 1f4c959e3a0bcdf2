"""Record: keep all that nodes answer, and write it to a folder that a replay can answer from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from fabric.changes.command import Command, Output
from fabric.changes.steps import Put
from fabric.errors import UsageError
from fabric.transport.session import Opener, Session

T = TypeVar("T")

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Recording:
    """All answers per node, in the order they came; a command that was run twice is there twice."""

    fabric: str
    nodes: Mapping[str, tuple[Output, ...]]


@dataclass(frozen=True, slots=True)
class _Cover:
    """The file ``recording.json``: ``nodes`` are the names of the files beside it, without ``.json``."""

    format_version: int
    fabric: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _NodeFile:
    format_version: int
    node: str
    outputs: tuple[Output, ...]


_COVER = TypeAdapter(_Cover)
_NODE = TypeAdapter(_NodeFile)


class Recorder:
    """An opener that keeps what the nodes behind another opener answer."""

    def __init__(self, opener: Opener, fabric: str) -> None:
        self._opener = opener
        self._fabric = fabric
        self._lock = Lock()
        self._outputs: dict[str, list[Output]] = {}

    def open(self, node: str) -> Session:
        """Open a session that is recorded; a node that cannot be opened is not in the recording."""
        session = self._opener.open(node)
        with self._lock:
            kept = self._outputs.setdefault(node, [])
        return Recorded(session, kept)

    def recording(self) -> Recording:
        """Return what was answered so far, nodes in order of their names."""
        with self._lock:
            return Recording(self._fabric, {node: tuple(self._outputs[node]) for node in sorted(self._outputs)})


class Recorded:
    """A session whose every answer is kept in ``kept``."""

    def __init__(self, session: Session, kept: list[Output]) -> None:
        self._session = session
        self._kept = kept

    @property
    def node(self) -> str:
        """The node's name."""
        return self._session.node

    def run(self, command: Command) -> Output:
        """Run a command and keep the answer."""
        return self._keep(self._session.run(command))

    def put(self, put: Put) -> None:
        """Write a file; it is not kept, since it is no answer."""
        self._session.put(put)

    def enter(self, line: str, prompt: str) -> Output:
        """Enter a mode and keep the answer."""
        return self._keep(self._session.enter(line, prompt))

    def send(self, lines: tuple[str, ...], refused: str) -> Output:
        """Send lines and keep the answer."""
        return self._keep(self._session.send(lines, refused))

    def close(self) -> None:
        """Close the session; the answers stay."""
        self._session.close()

    def _keep(self, output: Output) -> Output:
        self._kept.append(output)
        return output


def save(recording: Recording, folder: Path, redact: Callable[[str], str] = str) -> None:
    """Write a recording: a file per node, then ``recording.json``, each whole or not at all.

    ``redact`` gets every text and returns it without its secrets. OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for node, outputs in recording.nodes.items():
        clean = tuple(replace(each, text=redact(each.text), error=redact(each.error)) for each in outputs)
        _write(folder / f"{node}.json", _NODE.dump_json(_NodeFile(FORMAT_VERSION, node, clean), indent=1))
    cover = _Cover(FORMAT_VERSION, recording.fabric, tuple(sorted(recording.nodes)))
    _write(folder / "recording.json", _COVER.dump_json(cover, indent=1))


def load(folder: Path) -> Recording:
    """Read a recording; UsageError when the folder holds none, or one of another format."""
    cover = _read(folder / "recording.json", _COVER)
    _demand_version(cover.format_version, folder / "recording.json")
    nodes: dict[str, tuple[Output, ...]] = {}
    for name in cover.nodes:
        path = folder / f"{name}.json"
        found = _read(path, _NODE)
        _demand_version(found.format_version, path)
        nodes[found.node] = found.outputs
    return Recording(cover.fabric, nodes)


def _write(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("wb") as file:
            file.write(content + b"\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _read(path: Path, adapter: TypeAdapter[T]) -> T:
    try:
        return adapter.validate_json(path.read_bytes())
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        spot = ".".join(map(str, first["loc"])) or "the file"
        raise _unreadable(path, f"wrong at {spot}: {first['msg']}") from error


def _demand_version(version: int, path: Path) -> None:
    if version != FORMAT_VERSION:
        raise _unreadable(path, f"format {version}, this program reads format {FORMAT_VERSION}")


def _unreadable(path: Path, words: str) -> UsageError:
    return UsageError(
        f"recording cannot be read: {words}", where=str(path), hint="give a folder that `fabric plan --record` wrote"
    )

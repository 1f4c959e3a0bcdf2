"""Steps: the closed set of actions of which every change of a device consists.

Frozen, made by platforms without a session, carried out by workflows through transport.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias

from fabric.changes.command import Command


class Impact(IntEnum):
    """What a step does to traffic; ordered from harmless to worst."""

    HITLESS = 0
    PFC_GAP = 1
    DROP = 2
    FLAP = 3
    RELOAD = 4

    @property
    def word(self) -> str:
        """The word that people read and the plan file keeps."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Capture:
    """A name for what ``pattern`` (one group) finds in an output; later steps write it as ``{name}``."""

    name: str
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What all steps carry: the reason, the impact, and whether a repeat does no harm."""

    why: str
    impact: Impact = Impact.HITLESS
    repeatable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Put(_Step):
    """Write a file whole: to a temporary name beside ``path``, then moved over it."""

    kind: Literal["put"] = "put"
    path: str
    content: str
    mode: int = 0o644
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter(_Step):
    """Enter a mode of the device's command line; ``prompt`` (a pattern) shows that we are in."""

    kind: Literal["enter"] = "enter"
    line: str
    prompt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Send(_Step):
    """Send lines in the mode entered before; ``refused`` is the pattern of a refusal."""

    kind: Literal["send"] = "send"
    lines: tuple[str, ...]
    refused: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(_Step):
    """Run a command; it must end with one of ``codes``, and its output must match ``expect`` (a pattern) when given."""

    kind: Literal["run"] = "run"
    command: Command
    codes: tuple[int, ...] = (0,)
    expect: str = ""
    capture: Capture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Await(_Step):
    """Repeat a reading command until its output matches ``until`` (a pattern), at most ``deadline`` seconds."""

    kind: Literal["await"] = "await"
    command: Command
    until: str
    deadline: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnect(_Step):
    """Close the session and open it again, trying for at most ``deadline`` seconds."""

    kind: Literal["reconnect"] = "reconnect"
    deadline: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm(_Step):
    """Arm a timer on the device that undoes the change by itself; ``extend`` pushes its deadline out."""

    kind: Literal["arm"] = "arm"
    start: tuple[Put | Run, ...]
    extend: Command
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(_Step):
    """Keep the change: disarm the timer, or commit for good."""

    kind: Literal["confirm"] = "confirm"
    command: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(_Step):
    """Undo the change now, by the way that the timer would take."""

    kind: Literal["restore"] = "restore"
    command: Command


Step: TypeAlias = Put | Enter | Send | Run | Await | Reconnect | Arm | Confirm | Restore

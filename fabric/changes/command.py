"""A command that a device is given, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Effect(Enum):
    """What a command does to a device: plan may only read, verify may also send traffic."""

    READS = "reads"
    TRAFFIC = "traffic"
    WRITES = "writes"


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``timeout`` in seconds counts until the answer is complete; ``stdin`` is fed to it."""

    text: str
    effect: Effect = Effect.READS
    timeout: float = 30.0
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """The answer to a command. ``code`` is ``None`` where the system has no exit codes."""

    command: str
    text: str
    error: str = ""
    code: int | None = 0

    @property
    def ok(self) -> bool:
        """Tell whether the command itself ended well (never proof that it did what was asked)."""
        return self.code in (0, None)

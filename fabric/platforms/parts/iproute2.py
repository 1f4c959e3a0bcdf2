"""iproute2: read the JSON that ``ip`` prints, and write many lines for ``ip`` or ``tc`` as one command."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from fabric.changes.change import Steps
from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Impact, Run
from fabric.errors import PlatformError

Entry = TypeVar("Entry")

LINK_SHOW = Command("ip -j -d link show")


def entries(kind: type[Entry], output: Output) -> tuple[Entry, ...]:
    """Return what ``ip -j`` printed as frozen objects of ``kind``; PlatformError when it is something else."""
    if not output.ok:
        raise unreadable(output, output.error.strip() or f"exit code {output.code}")
    try:
        return TypeAdapter(tuple[kind, ...]).validate_json(output.text.strip() or "[]")  # type: ignore[valid-type]  # a type made at run time
    except ValidationError as error:
        first = error.errors()[0]
        at = ".".join(map(str, first["loc"]))
        raise unreadable(output, f"{first['msg']}{f' at {at}' if at else ''}") from error


def unreadable(output: Output, why: str) -> PlatformError:
    """Make the error of an answer that nobody can read."""
    return PlatformError(
        f"cannot read the answer to {output.command.splitlines()[0]!r}: {why}",
        hint="run the command on the node and compare; iproute2 5 or newer is expected",
    )


def batch(
    lines: Iterable[str],
    why: str,
    impact: Impact = Impact.HITLESS,
    *,
    tool: Literal["ip", "ip -6", "tc"] = "ip",
    tolerant: bool = False,
) -> tuple[Run, ...]:
    """Return one step that gives all lines to one process; none for no lines.

    A ``tolerant`` step goes on after a line that fails, and does not fail itself: what is to be removed may be gone.
    """
    text = "".join(f"{line}\n" for line in lines)
    if not text:
        return ()
    command = Command(f"{tool} {'-force ' if tolerant else ''}-batch -", Effect.WRITES, stdin=text)
    return (Run(why=why, impact=impact, command=command, codes=(0, 1, 2) if tolerant else (0,)),)


def joined(parts: Iterable[Steps]) -> Steps:
    """Return the steps of several parts one after the other; their undo in reverse order."""
    every = tuple(parts)
    return Steps(
        tuple(step for part in every for step in part.do),
        tuple(step for part in reversed(every) for step in part.undo),
    )


def named(names: Iterable[str]) -> str:
    """Return names for a reason: all of a few, else the first ones and how many more."""
    every = tuple(dict.fromkeys(names))
    shown = ", ".join(every[:4])
    return shown if len(every) <= 4 else f"{shown} and {len(every) - 4} more"

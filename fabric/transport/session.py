"""Session: what one node is talked to through, whatever carries it (SSH, this machine, a recording)."""

from __future__ import annotations

from typing import Protocol

from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Put


class Session(Protocol):
    """One open conversation with one node; used by one thread at a time.

    All methods raise only TransportErrors: Timeout and SessionLost anywhere, RejectedLine where the node says no.
    """

    @property
    def node(self) -> str:
        """The node's name."""

    def run(self, command: Command) -> Output:
        """Run one command to its end and return the answer; an exit code other than 0 is an answer, not an error.

        A process left in the background must let go of its outputs, or the end never comes. After a Timeout the command
        may still be running on the node, and the session can be used on.
        """

    def put(self, put: Put) -> None:
        """Write a file whole: under a temporary name beside it, with mode and owner, then moved; a repeat does no harm.

        RejectedLine, with the node's words, when the disk is full or the place may not be written.
        """

    def enter(self, line: str, prompt: str) -> Output:
        """Type a line in the interactive channel and wait for ``prompt`` (a pattern).

        RejectedLine when the earlier prompt comes back instead.
        """

    def send(self, lines: tuple[str, ...], refused: str) -> Output:
        """Type lines in the mode entered before; RejectedLine, naming the line, when an answer matches ``refused``."""

    def close(self) -> None:
        """End the conversation; a second call does nothing."""


class Opener(Protocol):
    """Opens sessions; used by many threads at a time."""

    def open(self, node: str) -> Session:
        """Open a session; Unreachable, AuthFailed or HostKeyMismatch when that fails."""


class Permitted:
    """A session that carries out only commands of the allowed effects.

    A refusal means that the calling code is wrong, not the user or the node: RuntimeError. Put, enter and send count
    as writes.
    """

    def __init__(self, session: Session, allowed: frozenset[Effect]) -> None:
        self._session = session
        self._allowed = allowed

    @property
    def node(self) -> str:
        """The node's name."""
        return self._session.node

    def run(self, command: Command) -> Output:
        """Run a command of an allowed effect."""
        self._demand(command.effect, command.text)
        return self._session.run(command)

    def put(self, put: Put) -> None:
        """Write a file, when writes are allowed."""
        self._demand(Effect.WRITES, f"put {put.path}")
        self._session.put(put)

    def enter(self, line: str, prompt: str) -> Output:
        """Enter a mode, when writes are allowed."""
        self._demand(Effect.WRITES, line)
        return self._session.enter(line, prompt)

    def send(self, lines: tuple[str, ...], refused: str) -> Output:
        """Send lines, when writes are allowed."""
        self._demand(Effect.WRITES, "; ".join(lines))
        return self._session.send(lines, refused)

    def close(self) -> None:
        """Close the session behind."""
        self._session.close()

    def _demand(self, effect: Effect, what: str) -> None:
        if effect not in self._allowed:
            allowed = ", ".join(sorted(each.value for each in self._allowed)) or "nothing"
            raise RuntimeError(f"{what!r} {effect.value} on {self.node}, in a session that is allowed: {allowed}")

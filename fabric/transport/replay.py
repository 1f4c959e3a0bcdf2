"""Replay: nodes that answer from a recording."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TypeAlias

from fabric.changes.command import Command, Effect, Output
from fabric.changes.steps import Put
from fabric.errors import RejectedLine, Unreachable
from fabric.transport.record import Recording

Answers: TypeAlias = dict[str, deque[Output]]


class Replay:
    """An opener over a recording: a node's answers come in the order they came, over all sessions with it.

    A command that was run more than once is answered in turn, and with its last answer from then on.
    """

    def __init__(self, recording: Recording) -> None:
        self._answers = {node: _by_command(outputs) for node, outputs in recording.nodes.items()}

    def open(self, node: str) -> ReplaySession:
        """Open a session; Unreachable when the node was not recorded."""
        if node not in self._answers:
            raise Unreachable(
                f"{node}: is not in the recording",
                where=node,
                hint="it could not be reached when the recording was made; leave it out with --limit, or record again",
            )
        return ReplaySession(node, self._answers[node])


def _by_command(outputs: Iterable[Output]) -> Answers:
    answers: Answers = {}
    for output in outputs:
        answers.setdefault(output.command, deque()).append(output)
    return answers


class ReplaySession:
    """Answers each command as the node did; what was not recorded, and all that writes, is refused (RejectedLine)."""

    def __init__(self, node: str, answers: Answers) -> None:
        self._node = node
        self._answers = answers

    @property
    def node(self) -> str:
        """The node's name."""
        return self._node

    def run(self, command: Command) -> Output:
        """Answer from the recording."""
        if command.effect is Effect.WRITES:
            raise self._read_only(command.text)
        answers = self._answers.get(command.text)
        if not answers:
            raise RejectedLine(
                f"{self._node}: {command.text!r} was not recorded",
                where=self._node,
                hint="record again with this version and the same options",
            )
        return answers.popleft() if len(answers) > 1 else answers[0]

    def put(self, put: Put) -> None:
        """Refuse."""
        raise self._read_only(f"put {put.path}")

    def enter(self, line: str, prompt: str) -> Output:  # noqa: ARG002 - the interface's
        """Refuse."""
        raise self._read_only(line)

    def send(self, lines: tuple[str, ...], refused: str) -> Output:  # noqa: ARG002 - the interface's
        """Refuse."""
        raise self._read_only("; ".join(lines))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _read_only(self, what: str) -> RejectedLine:
        return RejectedLine(
            f"{self._node}: {what!r} would write, and a recording only answers",
            where=self._node,
            hint="leave out --against to work with the nodes themselves",
        )

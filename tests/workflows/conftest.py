"""A device that answers from a table, behind our own session interface."""

from dataclasses import dataclass, field

import pytest

from fabric.changes.command import Command, Output
from fabric.errors import SessionLost, Unreachable


@dataclass
class Table:
    """A session: ``answers`` per command text are given in turn, the last one again and again."""

    answers: dict = field(default_factory=dict)
    node: str = "leaf01"
    log: list = field(default_factory=list)
    closed: int = 0
    refuse: int = 0

    def open(self, node):
        if self.refuse:
            self.refuse -= 1
            raise Unreachable(f"{node}: not now", where=node)
        self.log.append("open")
        return self

    def run(self, command: Command):
        self.log.append(command.text)
        given = self.answers.get(command.text, "")
        if isinstance(given, list):
            given = given.pop(0) if len(given) > 1 else given[0]
        if isinstance(given, Exception):
            raise given
        return given if isinstance(given, Output) else Output(command.text, given)

    def put(self, put):
        self.log.append(("put", put.path, put.content))

    def enter(self, line, prompt):
        self.log.append(("enter", line, prompt))
        return Output(line, "")

    def send(self, lines, refused):
        self.log.append(("send", lines, refused))
        return Output("", "")

    def close(self):
        self.closed += 1
        if self.closed > 1:
            raise SessionLost("gone already", where=self.node)


@pytest.fixture
def table():
    return Table()

"""Carry out steps over a session: the one place that knows what each kind of step means."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import singledispatch

from fabric.changes.command import Command, Output
from fabric.changes.steps import Arm, Await, Confirm, Enter, Put, Reconnect, Restore, Run, Send, Step
from fabric.errors import RejectedLine, SessionLost, Timeout, TransportError
from fabric.platforms.parts.secrets import masked
from fabric.transport.session import Opener, Session

POLL = 0.5


class Device:
    """A node with an open session, which steps may renew; ``values`` are what steps captured."""

    def __init__(self, node: str, opener: Opener) -> None:
        self.node = node
        self.values: dict[str, str] = {}
        self._opener = opener
        self.session: Session = opener.open(node)

    def reconnect(self, deadline: float) -> None:
        """Close the session and open it again, trying for ``deadline`` seconds."""
        self.close()
        until = time.monotonic() + deadline
        while True:
            try:
                self.session = self._opener.open(self.node)
            except TransportError:
                if time.monotonic() >= until:
                    raise
                time.sleep(POLL)
            else:
                return

    def close(self) -> None:
        """Close the session; a session that is gone already is closed."""
        try:
            self.session.close()
        except TransportError:
            return

    def fill(self, command: Command) -> Command:
        """Put captured values in the place of their names."""
        text = command.text
        for name, value in self.values.items():
            text = text.replace("{" + name + "}", value)
        return replace(command, text=text)

    def run(self, command: Command, codes: tuple[int, ...] = (0,)) -> Output:
        """Run a command; RejectedLine, with the device's own words, when it ends with another code."""
        output = self.session.run(self.fill(command))
        if output.code is not None and output.code not in codes:
            raise rejected(self.node, output)
        return output


def rejected(node: str, output: Output, why: str = "") -> RejectedLine:
    """Make the error of a command that the device refused."""
    said = masked(output.error.strip() or output.text.strip() or f"exit code {output.code}").splitlines()
    shown = "\n  ".join(said[-6:])
    return RejectedLine(
        f"refused: {output.command.splitlines()[0]}{f' ({why})' if why else ''}\n  {shown}",
        where=node,
        hint="the device's own words stand above; mend the cause and apply again",
    )


def execute(device: Device, steps: Iterable[Step], proceed: Callable[[], None]) -> None:
    """Carry out steps in order; ``proceed`` is asked before each and raises to stop between two steps."""
    for step in steps:
        proceed()
        carry_out(step, device)


@singledispatch
def carry_out(step: object, device: Device) -> None:
    """Carry out one step; TransportError when the device refuses or is lost."""
    raise TypeError(f"not a step: {step!r} on {device.node}")


@carry_out.register
def _(step: Put, device: Device) -> None:
    device.session.put(step)


@carry_out.register
def _(step: Enter, device: Device) -> None:
    device.session.enter(step.line, step.prompt)


@carry_out.register
def _(step: Send, device: Device) -> None:
    device.session.send(step.lines, step.refused)


@carry_out.register
def _(step: Run, device: Device) -> None:
    output = device.run(step.command, step.codes)
    if step.expect and not re.search(step.expect, output.text):
        raise rejected(device.node, output, "it did not answer as expected")
    if step.capture is not None:
        found = re.search(step.capture.pattern, output.text)
        if found is None:
            raise rejected(device.node, output, f"no {step.capture.name} in the answer")
        device.values[step.capture.name] = found[1]


@carry_out.register
def _(step: Await, device: Device) -> None:
    until = time.monotonic() + step.deadline
    while not re.search(step.until, device.run(step.command).text):
        if time.monotonic() >= until:
            raise Timeout(f"waited {step.deadline:g} s in vain: {step.why}", where=device.node, hint=step.command.text)
        time.sleep(POLL)


@carry_out.register
def _(step: Reconnect, device: Device) -> None:
    device.reconnect(step.deadline)


@carry_out.register
def _(step: Arm, device: Device) -> None:
    for start in step.start:
        carry_out(start, device)


@carry_out.register
def _(step: Confirm, device: Device) -> None:
    device.run(step.command)


@carry_out.register
def _(step: Restore, device: Device) -> None:
    device.run(step.command)


def lost(error: TransportError) -> bool:
    """Tell whether an error says that the node is gone, rather than that it refused."""
    return not isinstance(error, RejectedLine) or isinstance(error, SessionLost)

"""Exceptions that stop a step; everything else in this project is a value.

FabricError
├── UsageError            the command line or this machine cannot do what was asked
├── IntentError           the intent file is missing or wrong (carries every problem at once)
├── DesignError           the intent is well-formed and cannot be built
├── RenderError           settings cannot be turned into text for a node
├── PlatformError         a device answered something its platform cannot read or change
├── TransportError        talking to a device failed
│   ├── Unreachable       no connection
│   ├── AuthFailed        connected, not let in
│   ├── HostKeyMismatch   the device is not the one known under this name
│   ├── Timeout           connected, no answer in time
│   ├── RejectedLine      the device refused a line or a command
│   └── SessionLost       the connection ended before the answer
├── ApplyError            an apply stopped
│   ├── PartialApply      some nodes are changed and some are not
│   ├── RollbackFailed    an undo did not bring the earlier settings back
│   ├── StalePlan         devices or intent moved since the plan was made
│   └── Locked            someone else is changing this fabric
└── ProbeError            a probe could not be run
    ├── NoDevice          no RDMA device
    ├── NoGid             no usable GID
    ├── QpTransition      a queue pair refused to change state
    └── NoReply           the other end did not answer
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: what, where, and what to do about it."""

    message: str
    where: str = ""
    hint: str = ""


class FabricError(Exception):
    """Base of all errors of this project.

    ``message`` says what is wrong, ``where`` names the place (``file:line:column`` or a node),
    ``hint`` says what was expected and what to do. ``problems`` holds further problems of the same
    kind that were found at the same time; the first of them is the error itself.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        hint: str = "",
        problems: tuple[Problem, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint
        self.problems = problems or (Problem(message, where, hint),)


class UsageError(FabricError):
    """The command line, or the machine it runs on, cannot do what was asked."""


class IntentError(FabricError):
    """The intent file is missing or wrong."""


class DesignError(FabricError):
    """The intent is well-formed and cannot be built."""


class RenderError(FabricError):
    """Settings cannot be turned into text for a node."""


class PlatformError(FabricError):
    """A device answered something that its platform cannot read or change."""


class TransportError(FabricError):
    """Talking to a device failed."""


class Unreachable(TransportError):
    """No connection to the device."""


class AuthFailed(TransportError):
    """The device did not let us in."""


class HostKeyMismatch(TransportError):
    """The device is not the one that is known under this name."""


class Timeout(TransportError):
    """The device did not answer in time."""


class RejectedLine(TransportError):
    """The device refused a line or a command."""


class SessionLost(TransportError):
    """The connection ended before the answer came."""


class ApplyError(FabricError):
    """An apply stopped."""


class PartialApply(ApplyError):
    """Some nodes are changed and some are not."""


class RollbackFailed(ApplyError):
    """An undo did not bring the earlier settings back."""


class StalePlan(ApplyError):
    """Devices or intent moved since the plan was made."""


class Locked(ApplyError):
    """Someone else is changing this fabric."""


class ProbeError(FabricError):
    """A probe could not be run."""


class NoDevice(ProbeError):
    """No RDMA device on the host."""


class NoGid(ProbeError):
    """No usable GID on the device."""


class QpTransition(ProbeError):
    """A queue pair refused to change state."""


class NoReply(ProbeError):
    """The other end did not answer."""

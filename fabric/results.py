"""What rules and checks say, how a command ends: values, never exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from fabric.places import Place


class ExitCode(IntEnum):
    """How a command ends. The one source of every table of exit codes."""

    DONE = 0
    PENDING = 2
    INTENT = 3
    FAILED = 4
    DEVICE = 5
    PARTIAL = 6
    USAGE = 64
    BUG = 70
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """Say in one line when a command ends with this code."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.DONE: "done, nothing wrong",
    ExitCode.PENDING: "changes pending (plan --detailed-exitcode, render --check)",
    ExitCode.INTENT: "intent missing or invalid",
    ExitCode.FAILED: "a check or probe failed, or could not look where it should have been able to",
    ExitCode.DEVICE: "a device was not reached or refused",
    ExitCode.PARTIAL: "partly applied or deferred",
    ExitCode.USAGE: "wrong usage, or this machine lacks what the command needs",
    ExitCode.BUG: "bug in fabric",
    ExitCode.INTERRUPTED: "interrupted",
}


class Severity(Enum):
    """How bad a finding is; an ``ERROR`` stops render and apply unless it is waived."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    def reaches(self, least: Severity) -> bool:
        """Tell whether it is as bad as ``least``, or worse."""
        return _WORST_FIRST.index(self) <= _WORST_FIRST.index(least)


_WORST_FIRST = tuple(Severity)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule says about an intent, design or network.

    ``path`` names the object (``classes.rdma.dscp`` or ``leaf01.links.swp1``), ``place`` the spot in
    the user's file when there is one. ``measured`` and ``bound`` are texts with units. ``also`` are the paths of
    further objects of which the same is to be said, with the same cause and the same way out. ``waived`` is why the
    user accepts it, empty when nobody does; ``until`` the last day of that, ``None`` when it has no end. ``identity``
    is the object by names that stay when others come and go, where ``path`` alone does not do that.
    """

    rule: str
    severity: Severity
    path: str
    message: str
    measured: str = ""
    bound: str = ""
    fix: str = ""
    place: Place | None = None
    also: tuple[str, ...] = ()
    waived: str = ""
    until: date | None = None
    identity: str = ""

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits of rule and object: known again, whatever is said of it and on which line."""
        return sha256(f"{self.rule}\n{self.identity or self.path}".encode()).hexdigest()[:16]

    @property
    def stops(self) -> bool:
        """Tell whether it stops render and apply: an error that nobody has accepted."""
        return self.severity is Severity.ERROR and not self.waived


class Status(Enum):
    """How a check ended; ``SKIP`` always has a reason in the message."""

    PASS = "pass"  # noqa: S105  # a word of verdicts, not of logins
    FAIL = "fail"
    SKIP = "skip"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found at one place (a node, or ``node:port``).

    ``announced`` marks a skip that the capability table announces: it leaves the exit code at 0.
    """

    check: str
    at: str
    status: Status
    message: str
    expected: str = ""
    found: str = ""
    announced: bool = False


@dataclass(frozen=True, slots=True)
class Verification:
    """What verify found: results of checks, findings of network rules on what was read, and what is unverified."""

    fabric: str
    results: tuple[CheckResult, ...]
    findings: tuple[Finding, ...] = ()
    unverified: tuple[str, ...] = ()

    def failed(self, *, strict: bool) -> bool:
        """Tell whether something is wrong, or could not be looked at; ``strict`` counts announced skips too."""
        return any(_bad(result, strict=strict) for result in self.results) or any(
            finding.stops for finding in self.findings
        )


def _bad(result: CheckResult, *, strict: bool) -> bool:
    if result.status is Status.SKIP:
        return strict or not result.announced
    return result.status is not Status.PASS

"""Local: a session with this machine itself."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from fabric.changes.command import Command, Output
from fabric.changes.steps import Put
from fabric.errors import RejectedLine, Timeout


class LocalSession:
    """Runs commands by ``sh`` on this machine, as the user that runs this program."""

    def __init__(self, node: str) -> None:
        self._node = node

    @property
    def node(self) -> str:
        """The node's name."""
        return self._node

    def run(self, command: Command) -> Output:
        """Run one command; Timeout ends the shell that runs it."""
        try:
            done = subprocess.run(  # noqa: S602 - a command's text is a shell's by contract, as it is over SSH
                command.text,
                shell=True,
                executable="/bin/sh",
                input=command.stdin.encode(),
                capture_output=True,
                timeout=command.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Timeout(
                f"{self._node} (this machine): running {command.text!r}: no end after {command.timeout:g} s",
                where=self._node,
                hint="check that the command ends by itself",
            ) from error
        text, error_text = (each.decode(errors="replace") for each in (done.stdout, done.stderr))
        return Output(command.text, text, error_text, done.returncode)

    def put(self, put: Put) -> None:
        """Write a file whole."""
        path = Path(put.path)
        new = path.with_name(f".{path.name}.fabric-new")
        try:
            new.unlink(missing_ok=True)
            # Made with the narrow mode and widened at the end: nobody reads a secret in between.
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(put.content.encode())
            if put.owner:
                user, _, group = put.owner.partition(":")
                shutil.chown(new, user)
                if group:
                    shutil.chown(new, group=group)
            new.chmod(put.mode)
            new.replace(path)
        except (OSError, LookupError) as error:
            new.unlink(missing_ok=True)
            words = error.strerror if isinstance(error, OSError) else str(error)
            raise RejectedLine(
                f"{self._node} (this machine): writing {put.path}: {words}",
                where=self._node,
                hint="check that the folder exists, may be written, and has room",
            ) from error

    def enter(self, line: str, prompt: str) -> Output:  # noqa: ARG002 - the interface's
        """Refuse: a shell on this machine has no modes."""
        raise self._no_modes(line)

    def send(self, lines: tuple[str, ...], refused: str) -> Output:  # noqa: ARG002 - the interface's
        """Refuse: a shell on this machine has no modes."""
        raise self._no_modes("; ".join(lines))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _no_modes(self, what: str) -> RejectedLine:
        return RejectedLine(
            f"{self._node} (this machine): {what!r} needs a command line with modes",
            where=self._node,
            hint="run it as a command",
        )

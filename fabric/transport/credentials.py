"""Credentials: keys and passwords, loaded once, shared by all threads, never shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import paramiko
from cryptography.exceptions import UnsupportedAlgorithm

from fabric.errors import AuthFailed
from fabric.transport.targets import Target

PASSWORD = "FABRIC_PASSWORD"  # noqa: S105 - the name of a variable, not a password
PASSPHRASE = "FABRIC_KEY_PASSPHRASE"  # noqa: S105 - likewise
DEFAULT_KEYS = ("id_ed25519", "id_ecdsa", "id_rsa")


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that no repr, log or error shows."""

    text: str = field(repr=False)


class Credentials:
    """What logins are tried with: a target's key file, else the agent and the user's default keys; then a password.

    The password comes from the variable ``FABRIC_PASSWORD``, the passphrase of keys from ``FABRIC_KEY_PASSPHRASE``.
    When they are not set and ``ask`` is given, it is called with a question and returns the answer, once per question;
    for a password only where no key file is named, since a key that was named and is refused is a mistake to be told.
    """

    def __init__(
        self,
        ask: Callable[[str], str] | None = None,
        environ: Mapping[str, str] = os.environ,
        folder: Path | None = None,
    ) -> None:
        self._ask = ask
        self._environ = environ
        self._folder = folder or Path.home() / ".ssh"
        self._lock = Lock()
        self._keys: dict[Path, paramiko.PKey] = {}
        self._answers: dict[str, Secret] = {}

    def keys(self, target: Target) -> tuple[paramiko.PKey | None, ...]:
        """Return the keys to try in turn; ``None`` stands for a login by agent or password alone.

        AuthFailed when the target's key file is missing or cannot be read. Default keys that cannot be read are left
        out, as the agent may hold them.
        """
        if target.key is not None:
            return (self._key(target.key, target),)
        return tuple(self._default_keys(target)) or (None,)

    def password(self) -> Secret | None:
        """Return the password from the environment."""
        return self._reference(PASSWORD)

    def asked_password(self, target: Target) -> Secret | None:
        """Return the password that a person types, once per user and run; ``None`` when nobody is to be asked."""
        if target.key is not None:
            return None
        with self._lock:
            return self._asked(f"Password of {target.user!r} (first asked by {target}): ", target.user)

    def _default_keys(self, target: Target) -> Iterator[paramiko.PKey]:
        for name in DEFAULT_KEYS:
            with suppress(AuthFailed):
                yield self._key(self._folder / name, target, may_ask=False)

    def _reference(self, name: str) -> Secret | None:
        text = self._environ.get(name, "")
        return Secret(text) if text else None

    def _asked(self, question: str, topic: str) -> Secret | None:
        if self._ask is None:
            return None
        if topic not in self._answers:
            self._answers[topic] = Secret(self._ask(question))
        return self._answers[topic]

    def _key(self, path: Path, target: Target, *, may_ask: bool = True) -> paramiko.PKey:
        # Parsing a private key costs up to 0.2 s: under the lock each file is parsed once, whoever comes first.
        with self._lock:
            if path not in self._keys:
                self._keys[path] = self._load(path, target, may_ask=may_ask)
            return self._keys[path]

    def _load(self, path: Path, target: Target, *, may_ask: bool) -> paramiko.PKey:
        try:
            return _parsed(path, None)
        except (TypeError, paramiko.PasswordRequiredException):
            return self._load_encrypted(path, target, may_ask=may_ask)
        except OSError as error:
            raise _unusable(path, target, error.strerror or str(error)) from error
        except (ValueError, UnsupportedAlgorithm, paramiko.SSHException, paramiko.UnknownKeyType):
            # Some of these errors carry the file's bytes, so they are not handed on.
            raise _unusable(path, target, "not a private key that can be read") from None

    def _load_encrypted(self, path: Path, target: Target, *, may_ask: bool) -> paramiko.PKey:
        phrase = self._reference(PASSPHRASE)
        if phrase is None and may_ask:
            phrase = self._asked(f"Passphrase of {path}: ", str(path))
        if phrase is None:
            raise _unusable(path, target, f"it has a passphrase; set {PASSPHRASE} or add it to an agent")
        try:
            return _parsed(path, phrase)
        except (ValueError, TypeError, UnsupportedAlgorithm, paramiko.SSHException):
            # The library's words are left out on purpose: nothing that saw the passphrase is shown.
            raise _unusable(path, target, "the passphrase does not open it") from None


def _parsed(path: Path, phrase: Secret | None) -> paramiko.PKey:
    # paramiko passes the passphrase to two parsers, of which one wants bytes and the other takes either.
    return paramiko.PKey.from_path(path, phrase.text.encode() if phrase else None)


def _unusable(path: Path, target: Target, words: str) -> AuthFailed:
    return AuthFailed(
        f"{target}: key file {path} cannot be used: {words}", where=str(path), hint="give a private key in OpenSSH form"
    )

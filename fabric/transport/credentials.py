"""Credentials: keys and passwords, loaded once, shared by all threads, never shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock

import paramiko
from cryptography.exceptions import UnsupportedAlgorithm

from fabric.errors import AuthFailed
from fabric.transport.secrets import Secret, fetch, question
from fabric.transport.targets import EndPoint, Jump

PASSWORD = "FABRIC_PASSWORD"  # noqa: S105 - the name of a variable, not a password
PASSPHRASE = "FABRIC_KEY_PASSPHRASE"  # noqa: S105 - likewise
DEFAULT_KEYS = ("id_ed25519", "id_ecdsa", "id_rsa")


class Credentials:
    """What logins are tried with: what a server's entry names, else the agent and the user's default keys.

    A password comes from where the entry says; where it says nothing of keys or passwords, from the variable
    ``FABRIC_PASSWORD`` (nodes only: a jump host is not given theirs). The passphrase of keys comes from
    ``FABRIC_KEY_PASSPHRASE``. When these are not set and ``ask`` is given, it is called with a question and returns
    the answer, once per question; for a password only where the entry names nothing, since a key that was named and is
    refused is a mistake to be told.
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

    def gather(self, ends: Iterable[EndPoint]) -> None:
        """Fetch every password that is referred to, before threads need them; UsageError for one that is missing."""
        for end in ends:
            if end.password is not None:
                self.password(end)

    def keys(self, end: EndPoint) -> tuple[paramiko.PKey | None, ...]:
        """Return the keys to try in turn; ``None`` stands for a login by agent or password alone.

        AuthFailed when the key file is missing or cannot be read. Default keys that cannot be read are left out, as
        the agent may hold them.
        """
        if end.key is not None:
            return (self._key(end.key, end),)
        if not end.chooses:
            return (None,)
        return tuple(self._default_keys(end)) or (None,)

    def password(self, end: EndPoint) -> Secret | None:
        """Return the password that is referred to (UsageError when it is missing), else that of the environment."""
        if end.password is None:
            return None if isinstance(end, Jump) else self._reference(PASSWORD)
        topic = f"{end.password} for {_topic(end)}" if end.password.kind != "prompt" else _topic(end)
        with self._lock:
            if topic not in self._answers:
                self._answers[topic] = fetch(end, end.password, self._environ, self._ask)
            return self._answers[topic]

    def asked_password(self, end: EndPoint) -> Secret | None:
        """Return the password that a person types, once per user and run; ``None`` when nobody is to be asked."""
        if not end.chooses:
            return None
        with self._lock:
            return self._asked(question(end), _topic(end))

    def _default_keys(self, end: EndPoint) -> Iterator[paramiko.PKey]:
        for name in DEFAULT_KEYS:
            with suppress(AuthFailed):
                yield self._key(self._folder / name, end, may_ask=False)

    def _reference(self, name: str) -> Secret | None:
        text = self._environ.get(name, "")
        return Secret(text) if text else None

    def _asked(self, question: str, topic: str) -> Secret | None:
        if self._ask is None:
            return None
        if topic not in self._answers:
            self._answers[topic] = Secret(self._ask(question))
        return self._answers[topic]

    def _key(self, path: Path, end: EndPoint, *, may_ask: bool = True) -> paramiko.PKey:
        # Parsing a private key costs up to 0.2 s: under the lock each file is parsed once, whoever comes first.
        with self._lock:
            if path not in self._keys:
                self._keys[path] = self._load(path, end, may_ask=may_ask)
            return self._keys[path]

    def _load(self, path: Path, end: EndPoint, *, may_ask: bool) -> paramiko.PKey:
        try:
            return _parsed(path, None)
        except (TypeError, paramiko.PasswordRequiredException):
            return self._load_encrypted(path, end, may_ask=may_ask)
        except OSError as error:
            raise _unusable(path, end, error.strerror or str(error)) from error
        except (ValueError, UnsupportedAlgorithm, paramiko.SSHException, paramiko.UnknownKeyType):
            # Some of these errors carry the file's bytes, so they are not handed on.
            raise _unusable(path, end, "not a private key that can be read") from None

    def _load_encrypted(self, path: Path, end: EndPoint, *, may_ask: bool) -> paramiko.PKey:
        phrase = self._reference(PASSPHRASE)
        if phrase is None and may_ask:
            phrase = self._asked(f"Passphrase of {path}: ", str(path))
        if phrase is None:
            raise _unusable(path, end, f"it has a passphrase; set {PASSPHRASE} or add it to an agent")
        try:
            return _parsed(path, phrase)
        except (ValueError, TypeError, UnsupportedAlgorithm, paramiko.SSHException):
            # The library's words are left out on purpose: nothing that saw the passphrase is shown.
            raise _unusable(path, end, "the passphrase does not open it") from None


def _topic(end: EndPoint) -> str:
    """Return whose password it is: all nodes share that of a user, a jump host has its own."""
    return f"{end.user} at {end}" if isinstance(end, Jump) else end.user


def _parsed(path: Path, phrase: Secret | None) -> paramiko.PKey:
    # paramiko passes the passphrase to two parsers, of which one wants bytes and the other takes either.
    return paramiko.PKey.from_path(path, phrase.text.encode() if phrase else None)


def _unusable(path: Path, end: EndPoint, words: str) -> AuthFailed:
    return AuthFailed(
        f"{end}: key file {path} cannot be used: {words}", where=str(path), hint="give a private key in OpenSSH form"
    )

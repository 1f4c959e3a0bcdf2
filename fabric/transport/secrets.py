"""Secrets: passwords that the intent only refers to, fetched once and never shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fabric.errors import UsageError
from fabric.transport.targets import EndPoint, PasswordSource

Ask = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that no repr, log or error shows."""

    text: str = field(repr=False)


def fetch(end: EndPoint, source: PasswordSource, environ: Mapping[str, str], ask: Ask | None) -> Secret:
    """Return the password that a source holds for the user of ``end``; UsageError, naming what is missing."""
    if source.kind == "env":
        return _from_environment(end, source.name, environ)
    if source.kind == "keyring":
        return _from_keyring(end, source.name)
    if ask is None:
        raise UsageError(
            f"the password of {end.user!r} is to be typed, and there is no terminal to ask at",
            where=end.node,
            hint="run it in a terminal, or let the intent refer to a variable: `password: {env: NAME}`",
        )
    return Secret(ask(question(end)))


def question(end: EndPoint) -> str:
    """Return what a person is asked for."""
    return f"Password of {end.user!r} (first asked by {end}): "


def _from_environment(end: EndPoint, name: str, environ: Mapping[str, str]) -> Secret:
    if text := environ.get(name, ""):
        return Secret(text)
    raise UsageError(
        f"the password of {end.user!r} is to come from the variable {name}, which is not set",
        where=end.node,
        hint=f"set it without writing it into the shell's history: read -rs {name} && export {name}",
    )


def _from_keyring(end: EndPoint, service: str) -> Secret:
    try:
        import keyring  # noqa: PLC0415 - an extra, loaded only where an intent refers to it
        from keyring.errors import KeyringError  # noqa: PLC0415 - likewise
    except ImportError as error:
        raise UsageError(
            f"the password of {end.user!r} is to come from the keyring, and the package keyring is not installed",
            where=end.node,
            hint="pip install 'roce-fabric[keyring]'",
        ) from error
    try:
        text = keyring.get_password(service, end.user)
    except KeyringError as error:
        words = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(
            f"the keyring of this machine cannot be read: {words}",
            where=end.node,
            hint="unlock it, or let the intent refer to a variable: `password: {env: NAME}`",
        ) from error
    if not text:
        raise UsageError(
            f"the keyring has no password of {end.user!r} under {service}",
            where=end.node,
            hint=f"put it there: keyring set {service} {end.user}",
        )
    return Secret(text)

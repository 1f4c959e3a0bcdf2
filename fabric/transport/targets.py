"""Targets: under which address, user and keys each node is reached, and who said so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from getpass import getuser
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fabric.errors import Unreachable, UsageError
from fabric.intent.models import Intent
from fabric.intent.sections.access import AccessIntent, AccessRule, JumpIntent, KeyReference, PasswordReference
from fabric.places import lab_folder
from fabric.settings.network import Kind


@dataclass(frozen=True, slots=True)
class PasswordSource:
    """Where a password comes from: ``name`` is that of a variable, or of a service of the keyring."""

    kind: Literal["env", "keyring", "prompt"]
    name: str = ""

    def __str__(self) -> str:
        return {
            "env": f"the password in the variable {self.name}",
            "keyring": f"the password that the keyring has under {self.name}",
            "prompt": "the password that was typed",
        }[self.kind]


@dataclass(frozen=True, slots=True)
class EndPoint:
    """An SSH server, and what a login there is tried with.

    ``key`` ``None``: the agent and the user's default keys, or with ``agent`` that alone, or where there is a
    ``password`` neither; ``known_hosts`` ``None``: the user's own file.
    """

    node: str
    host: str
    port: int
    user: str
    key: Path | None
    known_hosts: Path | None
    agent: bool = field(default=False, kw_only=True)
    password: PasswordSource | None = field(default=None, kw_only=True)

    @property
    def asks_agent(self) -> bool:
        """Tell whether keys of the agent are tried."""
        return self.key is None and (self.agent or self.password is None)

    @property
    def chooses(self) -> bool:
        """Tell whether there is no word on keys or passwords, so that whatever the user has may be tried."""
        return self.asks_agent and not self.agent


@dataclass(frozen=True, slots=True)
class Jump(EndPoint):
    """A host through which nodes are reached; ``node`` is its name under ``access.jump``."""

    def __str__(self) -> str:
        return f"jump host {self.node} ({self.host}:{self.port})"


@dataclass(frozen=True, slots=True)
class Target(EndPoint):
    """One node's SSH end point, and the jump host on the way when there is one.

    ``device_type`` is netmiko's name; ``shell`` tells a POSIX shell from a command line of the system's own.
    """

    sudo: bool
    device_type: str
    shell: Literal["posix", "cli"]
    jump: Jump | None = field(default=None, kw_only=True)

    def __str__(self) -> str:
        through = f" through {self.jump.node}" if self.jump else ""
        return f"{self.node} ({self.host}:{self.port}{through})"


@dataclass(frozen=True, slots=True)
class Spoken:
    """How a node is spoken to: its kind, netmiko's device type, and its shell (from its `System`)."""

    kind: Kind
    device_type: str
    shell: Literal["posix", "cli"]


@dataclass(frozen=True, slots=True)
class Targets:
    """All nodes that can be reached. ``source`` names where they come from; ``said`` is the sentence for stderr."""

    nodes: Mapping[str, Target]
    source: str
    said: str

    def of(self, node: str) -> Target:
        """Return one node's target; Unreachable when the source says nothing of it."""
        if node not in self.nodes:
            raise Unreachable(
                f"{node}: {self.source} does not say how to reach it",
                where=node,
                hint=f"add {node} to {self.source}, or leave it out with --limit",
            )
        return self.nodes[node]

    @property
    def ends(self) -> Iterator[EndPoint]:
        """All servers that may be logged in to: the jump hosts, then the nodes."""
        yield from dict.fromkeys(target.jump for target in self.nodes.values() if target.jump)
        yield from self.nodes.values()


class _AccessNode(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    user: str
    key: Path | None = None
    known_hosts: Path | None = None
    sudo: bool = False


class _AccessFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    format_version: Literal[1]
    fabric: str
    nodes: dict[str, _AccessNode]


def targets(
    intent: Intent,
    nodes: Mapping[str, Spoken],
    access: Path | None = None,
    management: Mapping[str, str] = MappingProxyType({}),
) -> Targets:
    """Find how to reach nodes: ``access`` when given, else the lab that is up, else ``access:`` of the intent.

    ``management`` are the addresses of single nodes, which go before the intent's patterns. UsageError when an access
    file is missing or wrong, Unreachable when there is none of the three.
    """
    published = lab_folder(intent.fabric) / "access.json"
    if access is not None:
        return _from_file(access, intent.fabric, nodes, f"reaching nodes as {access} says")
    if published.exists():
        return _from_file(published, intent.fabric, nodes, f"reaching the lab of {intent.fabric!r} ({published})")
    if intent.access is not None:
        return _from_intent(intent, intent.access, nodes, management)
    raise Unreachable(
        f"no way to reach the nodes of {intent.fabric!r}: its lab is not up, and the intent has no `access:`",
        where=str(published),
        hint="start the lab with `fabric lab up FILE`, add `access:` to the file, or give --access FILE",
    )


def _from_file(path: Path, fabric: str, nodes: Mapping[str, Spoken], said: str) -> Targets:
    found = _load(path)
    if found.fabric != fabric:
        raise UsageError(
            f"access file is of fabric {found.fabric!r}, the intent is of {fabric!r}",
            where=str(path),
            hint="give the access file of this fabric",
        )
    made = {
        name: Target(
            name,
            entry.host,
            entry.port,
            entry.user,
            entry.key,
            entry.known_hosts,
            entry.sudo,
            nodes[name].device_type,
            nodes[name].shell,
        )
        for name, entry in found.nodes.items()
        if name in nodes
    }
    return Targets(made, str(path), said)


def _load(path: Path) -> _AccessFile:
    try:
        return _AccessFile.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"access file cannot be read: {error.strerror}", where=str(path), hint="give a readable file with --access"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        spot = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(
            f"access file is wrong at {spot}: {first['msg']}",
            where=str(path),
            hint="expected format_version 1, fabric, and per node host, port, user, key, known_hosts, sudo",
        ) from error


def _from_intent(
    intent: Intent, access: AccessIntent, nodes: Mapping[str, Spoken], management: Mapping[str, str]
) -> Targets:
    rules: dict[Kind, AccessRule | None] = {"switch": access.switches, "host": access.hosts}
    jumps = {name: _jump(name, jump) for name, jump in access.jump.items()}
    made = {
        name: _by_rule(name, spoken, rule, jumps.get(rule.jump or ""), management.get(name))
        for name, spoken in nodes.items()
        if (rule := rules[spoken.kind]) is not None
    }
    return Targets(made, "`access:` of the intent", f"reaching nodes of {intent.fabric!r} by `access:` of the intent")


def address(name: str, rule: AccessRule, management: str | None = None) -> str:
    """Return where a node is reached: at its own address when it has one, else where the rule for its kind says."""
    return management or rule.host.replace("{name}", name)


def _by_rule(
    name: str, spoken: Spoken, rule: AccessRule, jump: Jump | None = None, management: str | None = None
) -> Target:
    return Target(
        node=name,
        host=address(name, rule, management),
        port=rule.port,
        user=rule.user or _own_name(),
        key=_key_file(rule.key),
        known_hosts=None,
        sudo=rule.sudo,
        device_type=spoken.device_type,
        shell=spoken.shell,
        agent=_only_agent(rule.key),
        password=_password(rule.password),
        jump=jump,
    )


def _jump(name: str, jump: JumpIntent) -> Jump:
    return Jump(
        node=name,
        host=jump.host,
        port=jump.port,
        user=jump.user or _own_name(),
        key=_key_file(jump.key),
        known_hosts=None,
        agent=_only_agent(jump.key),
        password=_password(jump.password),
    )


def _key_file(key: KeyReference | None) -> Path | None:
    if key is None or key.file is None:
        return None
    try:
        return Path(key.file).expanduser()
    except RuntimeError as error:
        raise UsageError(
            f"key file {key.file}: there is no such user's home here", hint="write the path of the file in full"
        ) from error


def _only_agent(key: KeyReference | None) -> bool:
    return key is not None and bool(key.agent)


def _password(given: PasswordReference | None) -> PasswordSource | None:
    if given is None:
        return None
    if given.env is not None:
        return PasswordSource("env", given.env)
    if given.keyring is not None:
        return PasswordSource("keyring", given.keyring)
    return PasswordSource("prompt") if given.prompt else None


def _own_name() -> str:
    try:
        return getuser()
    except (KeyError, OSError) as error:
        raise UsageError(
            "the intent's `access:` names no user, and this process runs under a number without a name",
            hint="write `user:` under access.switches, access.hosts and each entry of access.jump",
        ) from error

"""Targets: under which address, user and keys each node is reached, and who said so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fabric.errors import Unreachable, UsageError
from fabric.intent.models import AccessRule, Intent
from fabric.places import lab_folder
from fabric.settings.network import Kind


@dataclass(frozen=True, slots=True)
class Target:
    """One node's SSH end point.

    ``key`` ``None``: the agent and the user's default keys; ``known_hosts`` ``None``: the user's own file.
    ``device_type`` is netmiko's name; ``shell`` tells a POSIX shell from a command line of the system's own.
    """

    node: str
    host: str
    port: int
    user: str
    key: Path | None
    known_hosts: Path | None
    sudo: bool
    device_type: str
    shell: Literal["posix", "cli"]

    def __str__(self) -> str:
        return f"{self.node} ({self.host}:{self.port})"


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


def targets(intent: Intent, nodes: Mapping[str, Spoken], access: Path | None = None) -> Targets:
    """Find how to reach nodes: ``access`` when given, else the lab that is up, else ``access:`` of the intent.

    UsageError when an access file is missing or wrong, Unreachable when there is none of the three.
    """
    published = lab_folder(intent.fabric) / "access.json"
    if access is not None:
        return _from_file(access, intent.fabric, nodes, f"reaching nodes as {access} says")
    if published.exists():
        return _from_file(published, intent.fabric, nodes, f"reaching the lab of {intent.fabric!r} ({published})")
    if intent.access is not None:
        return _from_intent(intent, nodes)
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


def _from_intent(intent: Intent, nodes: Mapping[str, Spoken]) -> Targets:
    if intent.access is None:
        return Targets({}, "`access:` of the intent", "")
    rules: dict[Kind, AccessRule | None] = {"switch": intent.access.switches, "host": intent.access.hosts}
    made = {
        name: _by_rule(name, spoken, rule) for name, spoken in nodes.items() if (rule := rules[spoken.kind]) is not None
    }
    return Targets(made, "`access:` of the intent", f"reaching nodes of {intent.fabric!r} by `access:` of the intent")


def _by_rule(name: str, spoken: Spoken, rule: AccessRule) -> Target:
    return Target(
        node=name,
        host=rule.host.replace("{name}", name),
        port=rule.port,
        user=rule.user or _own_name(),
        key=None,
        known_hosts=None,
        sudo=rule.sudo,
        device_type=spoken.device_type,
        shell=spoken.shell,
    )


def _own_name() -> str:
    try:
        return getuser()
    except (KeyError, OSError) as error:
        raise UsageError(
            "the intent's `access:` names no user, and this process runs under a number without a name",
            hint="write `user:` under access.switches and access.hosts",
        ) from error

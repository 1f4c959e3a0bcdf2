"""access: how nodes are reached over SSH. Secrets stand here only as references."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabric.intent.names import EnvName, FilePath, HostName, HostPattern, Name, User
from fabric.intent.quantities import Flag, TcpPort, Yes
from fabric.intent.strict import OneOf, Strict


class PasswordReference(OneOf):
    """Where a password comes from: exactly one of these."""

    env: Annotated[EnvName | None, Field(description="an environment variable")] = None
    keyring: Annotated[Name | None, Field(description="a service of the keyring, under the user's name")] = None
    prompt: Annotated[Yes | None, Field(description="true: asked for once")] = None


class KeyReference(OneOf):
    """Where a private key comes from: exactly one of these."""

    agent: Annotated[Yes | None, Field(description="true: only keys of the agent")] = None
    file: Annotated[
        FilePath | None,
        Field(
            description="a private key file, such as ~/.ssh/fabric; a relative path begins at the folder of this file"
        ),
    ] = None


class JumpIntent(Strict):
    """A host through which others are reached."""

    host: Annotated[HostName, Field(description="host name or address")]
    port: Annotated[TcpPort, Field(description="TCP port")] = 22
    user: Annotated[User | None, Field(description="user name")] = None
    key: Annotated[
        KeyReference | None,
        Field(description="the private key; default: agent and default keys, or none of them beside password"),
    ] = None
    password: Annotated[PasswordReference | None, Field(description="the password, by reference")] = None


class AccessRule(Strict):
    """How nodes are reached over SSH."""

    user: Annotated[User | None, Field(description="user name")] = None
    host: Annotated[HostPattern, Field(description="host name or address; {name} stands for the node")] = "{name}"
    port: Annotated[TcpPort, Field(description="TCP port")] = 22
    sudo: Annotated[Flag, Field(description="commands run through sudo")] = False
    jump: Annotated[Name | None, Field(description="the entry of access.jump through which they are reached")] = None
    key: Annotated[
        KeyReference | None,
        Field(description="the private key; default: agent and default keys, or none of them beside password"),
    ] = None
    password: Annotated[PasswordReference | None, Field(description="the password, by reference")] = None


class AccessIntent(Strict):
    """How nodes are reached over SSH. Secrets never stand here."""

    jump: Annotated[dict[Name, JumpIntent], Field(description="jump hosts under their names")] = Field(
        default_factory=dict
    )
    switches: Annotated[AccessRule | None, Field(description="how switches are reached")] = None
    hosts: Annotated[AccessRule | None, Field(description="how hosts are reached")] = None

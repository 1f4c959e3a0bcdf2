"""The two contracts of this layer: `System` (what a node runs) and `Driver` (what a NIC needs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from fabric.changes.change import Steps
from fabric.changes.command import Command, Output
from fabric.changes.delta import Delta
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Arm, Confirm, Restore, Step
from fabric.settings.facet import Absent, Facet, Settings
from fabric.settings.facts import Facts
from fabric.settings.network import Kind
from fabric.settings.persistence import Persistence
from fabric.settings.scope import Scope

Outputs: TypeAlias = tuple[Output, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """Which commands show a facet (of settings or state), and how to parse their outputs, in that order.

    ``parse`` returns `ABSENT` when the device cannot say (never an empty facet), and raises PlatformError
    when it answers what nobody can read.
    """

    facet: type[Facet[Any]]
    commands: tuple[Command, ...]
    parse: Callable[[Facts, Outputs], Facet[Any] | Absent]


@dataclass(frozen=True, slots=True)
class FactsReader:
    """How facts are read: before anything else, on every contact."""

    commands: tuple[Command, ...]
    parse: Callable[[Outputs], Facts]


@dataclass(frozen=True, slots=True)
class Guard:
    """How a device is kept safe while it is changed. ``run`` is the id of the run, part of every name.

    ``lock`` fails with a code other than 0 and prints the holder when someone else holds it; ``arm`` makes the timer
    that carries out the undo steps by itself; ``remember`` writes down what is ours, and ``recall`` reads it again
    for the next plan.
    """

    lock: Callable[[str], Command]
    unlock: Callable[[str], Command]
    arm: Callable[[str, tuple[Step, ...], int], Arm]
    confirm: Callable[[str], Confirm]
    restore: Callable[[str], Restore]
    remember: Callable[[Scope], Step]
    recall: tuple[Command, Callable[[Output], Scope]]


@dataclass(frozen=True, slots=True)
class Ping:
    """A request for echoes: ``size`` is the IP packet's in bytes, ``dscp`` 0..63; fragments are forbidden."""

    node: str
    source: str
    destination: str
    size: int
    count: int = 1
    dscp: int = 0
    wait: float = 1.0


@dataclass(frozen=True, slots=True)
class Pong:
    """What came of a ping; ``reason`` is the system's own word when nothing came back."""

    ping: Ping
    sent: int
    received: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """What a node runs: a value with pure functions, found by its folder's name.

    ``facets`` are what it renders, reads and changes; designed facets that are not listed are unmanaged.
    ``state`` are what it reports. ``unreadable`` names ``facet.field`` that can never be read, with what
    stands in for it. ``steps`` gets the reading, the rendered texts and the delta, and answers no steps exactly
    when the delta is empty. ``recorded`` says what the node's own texts are within the scope: the rendering to go
    back to. ``persisted`` gives the digests that saved artefacts should have.
    """

    name: str
    kind: Kind
    device_type: str
    shell: Literal["posix", "cli"]
    facets: tuple[type[Facet[Any]], ...]
    facts: FactsReader
    readers: Callable[[Facts], tuple[Reader, ...]]
    state_readers: Callable[[Facts], tuple[Reader, ...]]
    persisted: Callable[[Settings, Rendered], Persistence]
    recorded: Callable[[Reading, Scope], Rendered]
    steps: Callable[[Reading, Rendered, Delta, Scope], Steps]
    guard: Guard
    ping: Callable[[Ping], Command] | None = None
    pong: Callable[[Ping, Output], Pong] | None = None
    unreadable: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Driver:
    """What a NIC needs beside its host's system; the same shape, for the facets of NIC ports."""

    name: str
    facets: tuple[type[Facet[Any]], ...]
    readers: Callable[[Facts], tuple[Reader, ...]]
    state_readers: Callable[[Facts], tuple[Reader, ...]]
    steps: Callable[[Reading, Rendered, Delta, Scope], Steps]
    unreadable: Mapping[str, str] = field(default_factory=dict)

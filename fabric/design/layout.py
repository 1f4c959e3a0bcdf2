"""Layout: nodes and cables of an intent, before addresses and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fabric.hardware.models import NicModel, SwitchModel
from fabric.hardware.ports import PortNames, Spot
from fabric.intent.pods import STRIDE
from fabric.intent.prefixes import IpAddress
from fabric.intent.sections.nodes import NodeIntent
from fabric.intent.sections.topology import HostRole, SwitchRole, Topology
from fabric.places import Place
from fabric.settings.network import State


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Member:
    """A node of a role. ``place`` is the name that the role gives it, ``name`` the one it has.

    ``ordinal`` counts within the role (within the pod where the role is there once per pod), from 0; ``pod`` from 1.
    ``given`` is what ``nodes`` says of it.
    """

    name: str
    place: str
    role: str
    pod: int | None
    ordinal: int
    system: str
    given: NodeIntent


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Switch(Member):
    """One switch; ``number`` is the role's place among switch roles in the file, from 0."""

    number: int
    tier: int
    intent: SwitchRole
    model: SwitchModel
    naming: PortNames

    @property
    def index(self) -> int:
        """The place in the whole role, from 0: pods stand ``stride`` places apart, so that each can grow."""
        return self.ordinal if self.pod is None else (self.pod - 1) * stride_of(self.intent) + self.ordinal

    @property
    def release(self) -> str | None:
        """The release of its system, ``None`` where the intent does not say."""
        return self.given.release or self.intent.release


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Host(Member):
    """One host; ``cards`` are its NICs, a host role each: its own first."""

    intent: HostRole
    cards: tuple[Cards, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """The NICs that one host role gives a host: ``ports`` are device names, NIC by NIC, port by port.

    ``first`` counts the NICs of the host before these. ``named`` tells names from labels for devices not known yet.
    """

    role: str
    intent: HostRole
    nic: NicModel
    first: int
    ports: tuple[str, ...]
    named: bool


@dataclass(frozen=True, slots=True)
class Laid:
    """What cables of one entry of ``topology.cables`` have in common: speed in bit/s, length in metres or 0.

    ``line`` is the line of a list that a cable stands in, ``None`` for generated ones.
    """

    entry: int
    speed: int
    length: float
    media: str | None = None
    fec: str | None = None
    line: Place | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Wire:
    """A cable between two switches. ``given`` are the addresses of the lower and the upper end, where a list says."""

    lower: Switch
    lower_spot: Spot
    lower_port: str
    upper: Switch
    upper_spot: Spot
    upper_port: str
    laid: Laid
    given: tuple[tuple[IpAddress, IpAddress], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """A cable between a host and a leaf: NIC ``nic`` of the host and its port ``leg``, both from 0.

    ``given`` are the addresses of host and leaf, where a list says.
    """

    host: Host
    cards: Cards
    nic: int
    leg: int
    port: str
    leaf: Switch
    spot: Spot
    leaf_port: str
    laid: Laid
    given: tuple[tuple[IpAddress, IpAddress], ...] = ()


@dataclass(frozen=True)
class Layout:
    """All nodes in file order and all cables; the maps are by node name, in order of port numbers.

    ``tiers`` are by role, of all roles. ``removed`` are nodes of which nothing but the place is kept: none of the maps
    speaks of them but ``laid``, all cables of all hosts, from which addresses are computed so that a leaf that goes
    moves none; and ``vacant``, the ports of others that led to them.
    """

    switches: tuple[Switch, ...]
    hosts: tuple[Host, ...]
    uplinks: Mapping[str, tuple[Wire, ...]]
    downlinks: Mapping[str, tuple[Wire, ...]]
    attached: Mapping[str, tuple[Attachment, ...]]
    nics: Mapping[str, tuple[Attachment, ...]]
    laid: Mapping[str, tuple[Attachment, ...]]
    planes: Mapping[str, int]
    tiers: Mapping[str, int]
    removed: tuple[Member, ...]
    vacant: Mapping[str, tuple[str, ...]]

    @cached_property
    def roles(self) -> Mapping[tuple[str, str], str]:
        """The host roles at the other ends of ports of leaves, under leaf and port."""
        rows = (row for attached in self.attached.values() for row in attached)
        return {(row.leaf.name, row.leaf_port): row.cards.role for row in rows}

    def ports_of(self, node: str) -> tuple[str, ...]:
        """Return the ports of a node that have cables, from its lower to its upper side."""
        return (
            *(row.port for row in self.nics.get(node, ())),
            *(row.leaf_port for row in self.attached.get(node, ())),
            *(wire.upper_port for wire in self.downlinks.get(node, ())),
            *(wire.lower_port for wire in self.uplinks.get(node, ())),
        )


def stride_of(role: SwitchRole) -> int:
    """Return how many places are set aside for a role in each pod."""
    return role.stride or STRIDE


def machines_of(topology: Topology, role: str) -> HostRole:
    """Return the host role whose machines a role describes NICs of: itself, or the one that it is ``of``."""
    intent = topology.hosts[role]
    return intent if intent.of is None else topology.hosts[intent.of]


def state_of(node: Member) -> State:
    """Return what is expected of a node that is there (removed ones are in no layout)."""
    found = node.given.state
    return "active" if found is None or found == "removed" else found

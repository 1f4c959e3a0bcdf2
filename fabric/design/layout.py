"""Layout: nodes and cables of an intent, before addresses and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabric.design.attach import Landing
from fabric.hardware.models import NicModel, SwitchModel
from fabric.hardware.ports import PortNames
from fabric.intent.models import HostRole, SwitchRole


@dataclass(frozen=True)
class SwitchGroup:
    """The switches of one role. ``number`` is the role's place among switch roles in the file, from 0."""

    role: str
    number: int
    tier: int
    intent: SwitchRole
    model: SwitchModel
    naming: PortNames
    names: tuple[str, ...]

    @property
    def stride(self) -> int:
        """The number of /31s set aside for one switch: its ports, rounded up to a power of two."""
        return 1 << (self.model.ports - 1).bit_length()


@dataclass(frozen=True)
class HostGroup:
    """The hosts of one role, how they land on which leaves, and the names of NIC 1, 2 and so on."""

    role: str
    intent: HostRole
    nic: NicModel
    names: tuple[str, ...]
    ports: tuple[str, ...]
    leaf_role: str
    landing: Landing
    cable: int


@dataclass(frozen=True, slots=True)
class Wire:
    """A cable between two switches: group, index (from 0), port number (from 1) and port name of both ends.

    ``cable`` is the entry of ``topology.cables``; ``pair`` counts the cables between the two switches, from 0.
    """

    lower: SwitchGroup
    lower_index: int
    lower_number: int
    lower_port: str
    upper: SwitchGroup
    upper_index: int
    upper_number: int
    upper_port: str
    cable: int
    pair: int

    @property
    def lower_name(self) -> str:
        """The name of the lower node."""
        return self.lower.names[self.lower_index]

    @property
    def upper_name(self) -> str:
        """The name of the upper node."""
        return self.upper.names[self.upper_index]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A cable between NIC ``nic`` (from 0) of a host and a leaf."""

    host: HostGroup
    host_index: int
    nic: int
    port: str
    leaf: SwitchGroup
    leaf_index: int
    leaf_number: int
    leaf_port: str

    @property
    def host_name(self) -> str:
        """The name of the host."""
        return self.host.names[self.host_index]

    @property
    def leaf_name(self) -> str:
        """The name of the leaf."""
        return self.leaf.names[self.leaf_index]


@dataclass(frozen=True)
class Layout:
    """All roles in file order and all cables; the maps are by node name, in order of port numbers."""

    switches: tuple[SwitchGroup, ...]
    hosts: tuple[HostGroup, ...]
    uplinks: Mapping[str, tuple[Wire, ...]]
    downlinks: Mapping[str, tuple[Wire, ...]]
    attached: Mapping[str, tuple[Attachment, ...]]
    nics: Mapping[str, tuple[Attachment, ...]]

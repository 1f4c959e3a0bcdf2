"""topology: roles of switches and hosts, and which cables lead from one to the other."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from fabric.intent.names import CsvFile, EndPattern, InterfaceName, Name, Word
from fabric.intent.portrange import PortRange
from fabric.intent.quantities import AsNumber, Count, Few, Metres, Nics, Speed
from fabric.intent.strict import Strict

Attach: TypeAlias = Literal["rail", "leaf", "dual"]
Bond: TypeAlias = Literal["none", "lacp"]
Fec: TypeAlias = Literal["none", "fc", "rs"]
Per: TypeAlias = Literal["pod"]


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


class Asn(Strict):
    """AS numbers of a switch role."""

    first: Annotated[AsNumber, Field(description="the first AS number")]
    per: Annotated[
        Literal["tier", "pod", "device"],
        Field(description="one AS number for all, a further one per pod, or a further one per device"),
    ]
    stride: Annotated[
        Count | None, Field(description="AS numbers set aside per pod; default: the stride of the role")
    ] = None


class SwitchRole(Strict):
    """A switch role: equal switches with one place in the fabric."""

    count: Annotated[Count, Field(description="how many switches; per pod where per: pod")]
    per: Annotated[Per | None, Field(description="pod: count is that of one pod")] = None
    stride: Annotated[
        Count | None,
        Field(description="places set aside per pod for AS numbers and addresses, so that pods can grow; default: 64"),
    ] = None
    system: Annotated[Name, Field(description="what the switches run: frr, sonic, eos, ...")]
    model: Annotated[Word, Field(description="the model, which gives port names, speeds and limits")]
    release: Annotated[Word | None, Field(description="the release of the system, in quotes")] = None
    asn: Annotated[Asn, Field(description="AS numbers of the role")]


class HostRole(Strict):
    """A host role: equal servers with one way of being attached."""

    of: Annotated[
        Name | None, Field(description="a host role whose machines have these NICs as well; then without count")
    ] = None
    count: Annotated[
        Count, Field(description="how many hosts; per pod where per: pod", json_schema_extra=_without_default)
    ] = 0
    per: Annotated[Per | None, Field(description="pod: count is that of one pod")] = None
    nics: Annotated[Nics, Field(description="RDMA NICs per host")] = 1
    ports: Annotated[
        Literal[1, 2, 4],
        Field(description="ports per NIC; port p of NIC r goes to leaf (r-1) x ports + p of the group"),
    ] = 1
    bond: Annotated[Bond, Field(description="lacp: the ports of a NIC are one link to several leaves")] = "none"
    nic: Annotated[Word, Field(description="the model of the NICs, such as connectx-7 or soft-roce")]
    system: Annotated[Name, Field(description="what the hosts run")] = "linux"
    attach: Annotated[
        Attach,
        Field(description="rail: NIC r to leaf r of its group; leaf: all NICs to one leaf; dual: pairs to two leaves"),
    ]
    per_group: Annotated[Count | None, Field(description="hosts per group of leaves")] = None
    leaves: Annotated[
        Count | None,
        Field(description="leaves of a group where rails share them (attach: rail); default: nics x ports"),
    ] = None
    stride: Annotated[
        Count | None,
        Field(description="leaves set aside per group, so that hosts can get more NICs; default: leaves"),
    ] = None
    interfaces: Annotated[
        tuple[InterfaceName, ...] | None,
        Field(min_length=1, description="the network device of each NIC port, in order; nics x ports of them"),
    ] = None


class Cable(Strict):
    """How each node of one role is cabled to the nodes of another role."""

    from_: Annotated[Name, Field(alias="from", description="the lower role: hosts, or the switches nearer to hosts")]
    to: Annotated[Name, Field(description="the upper role")]
    per_pair: Annotated[Few, Field(description="cables between each two nodes")] = 1
    speed: Annotated[Speed, Field(description="speed of each cable, such as 400G")]
    length_m: Annotated[Metres | None, Field(description="length in metres; headroom depends on it")] = None
    media: Annotated[Name | None, Field(description="what the cable is: dac, aoc, dr4, ...")] = None
    fec: Annotated[Fec | None, Field(description="forward error correction of both ends")] = None
    ports: Annotated[
        PortRange | None, Field(description="which ports of the lower switch, such as 33-64 or 33-64/2x")
    ] = None
    to_ports: Annotated[
        PortRange | None, Field(description="which ports of the upper switch, such as 1-32/2x: two cables on each port")
    ] = None
    spread: Annotated[
        Literal["plane"] | None,
        Field(description="plane: switch i reaches only the switches of plane i above it, not all of them"),
    ] = None
    planes: Annotated[
        Count | None, Field(description="how many planes; default: the count of the lower role in a pod")
    ] = None
    stride: Annotated[
        Count | None,
        Field(description="lower switches per pod for which upper ports are set aside; default: as many as there are"),
    ] = None


class CableList(Strict):
    """Cables of some pairs of roles, listed one by one."""

    file: Annotated[CsvFile, Field(description="a CSV file beside this one, such as cables.csv")]


class CableChange(Strict):
    """Attributes of single cables; at least one cable must match."""

    match: Annotated[EndPattern, Field(description="an end of the cables: leaf03:swp7, or with * and ?")]
    length_m: Annotated[Metres | None, Field(description="length in metres; headroom depends on it")] = None
    media: Annotated[Name | None, Field(description="what the cable is: dac, aoc, dr4, ...")] = None
    fec: Annotated[Fec | None, Field(description="forward error correction of both ends")] = None


def _kind(entry: object) -> str:
    """Tell an entry by its keys, so that only what is wrong with this kind is said."""
    if isinstance(entry, dict):
        return "file" if "file" in entry else "match" if "match" in entry else "cable"
    return "file" if isinstance(entry, CableList) else "match" if isinstance(entry, CableChange) else "cable"


CableEntry: TypeAlias = Annotated[
    Annotated[Cable, Tag("cable")] | Annotated[CableList, Tag("file")] | Annotated[CableChange, Tag("match")],
    Discriminator(_kind),
]


class Topology(Strict):
    """Nodes and cables; tiers follow from the cables."""

    pods: Annotated[Count | None, Field(description="how many pods; roles with per: pod are there once in each")] = None
    switches: Annotated[dict[Name, SwitchRole], Field(min_length=1, description="switch roles under their names")]
    hosts: Annotated[dict[Name, HostRole], Field(min_length=1, description="host roles under their names")]
    cables: Annotated[tuple[CableEntry, ...], Field(min_length=1, description="which roles are cabled to each other")]

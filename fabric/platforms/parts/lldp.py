"""lldp: who is at the other end, as ``lldpd`` heard it."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from fabric.changes.command import Command, Output
from fabric.errors import PlatformError
from fabric.platforms.contract import Reader
from fabric.settings.facet import ABSENT, Absent
from fabric.settings.state.neighbours import Neighbour, Neighbours

# json0 keeps the shape when there is one neighbour, or none.
NEIGHBOUR_SHOW = Command("lldpcli -f json0 show neighbors")


@dataclass(frozen=True, slots=True)
class _Value:
    value: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class _Chassis:
    name: tuple[_Value, ...] = ()


@dataclass(frozen=True, slots=True)
class _Port:
    id: tuple[_Value, ...] = ()
    descr: tuple[_Value, ...] = ()


@dataclass(frozen=True, slots=True)
class _Interface:
    name: str
    chassis: tuple[_Chassis, ...] = ()
    port: tuple[_Port, ...] = ()


@dataclass(frozen=True, slots=True)
class _Lldp:
    interface: tuple[_Interface, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    lldp: tuple[_Lldp, ...]


def parse_neighbours(output: Output) -> Neighbours | Absent:
    """Return the first neighbour of each port; `ABSENT` when no lldpd answers, PlatformError for garbage."""
    if not output.ok:
        return ABSENT
    try:
        answer = TypeAdapter(_Answer).validate_json(output.text)
    except ValidationError as error:
        raise PlatformError(
            f"cannot read the answer to {output.command!r}: {error.errors()[0]['msg']}",
            hint="lldpd 1.0 or newer is expected",
        ) from error
    rows: dict[str, Neighbour] = {}
    for found in (interface for part in answer.lldp for interface in part.interface):
        rows.setdefault(found.name, Neighbour(_node(found), _port(found)))
    return Neighbours(rows)


def _node(found: _Interface) -> str:
    return next((name.value for chassis in found.chassis for name in chassis.name), "")


def _port(found: _Interface) -> str:
    """Return the port's name: its id when that is a name, else its description (the id may be a MAC address)."""
    ids = [one.value for port in found.port for one in port.id if one.type == "ifname"]
    return next(iter([*ids, *(one.value for port in found.port for one in port.descr)]), "")


STATE = Reader(Neighbours, (NEIGHBOUR_SHOW,), lambda _, outputs: parse_neighbours(outputs[0]))

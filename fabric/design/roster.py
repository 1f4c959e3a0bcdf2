"""Roster: the nodes of all roles.

Names are ``<role>01``, in pods ``p1-<role>01``: two digits at least, never re-padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric.design.bonds import LACP, bond_name
from fabric.design.faults import Gathered, fault, placed
from fabric.design.layout import Cards, Host, Switch
from fabric.design.overrides import Overrides
from fabric.hardware.lookup import naming, nic, switch
from fabric.hardware.models import NicModel
from fabric.intent.document import Document
from fabric.intent.sections.nodes import NodeIntent
from fabric.intent.sections.topology import HostRole, SwitchRole


@dataclass(frozen=True)
class Place:
    """One place of a role, before it is known what stands there; ``pod`` from 1, ``ordinal`` from 0."""

    name: str
    role: str
    pod: int | None
    ordinal: int
    given: NodeIntent

    @property
    def real(self) -> str:
        """The name of the node that stands here."""
        return self.given.name or self.name


def places(document: Document, overrides: Overrides) -> Mapping[str, tuple[Place, ...]]:
    """Return the places of every role, switches before hosts; DesignError when names meet."""
    topology = document.intent.topology
    machines = {role: intent for role, intent in topology.hosts.items() if intent.of is None}
    roles: dict[str, SwitchRole | HostRole] = {**topology.switches, **machines}
    faults = Gathered()
    found: dict[str, tuple[Place, ...]] = {}
    for role, intent in roles.items():
        rows: list[Place] = []
        kind = "switch" if role in topology.switches else "host"
        for name, pod, ordinal in _names(role, intent, topology.pods or 1):
            with faults:
                rows.append(Place(name, role, pod, ordinal, overrides.of(name, kind)))
        found[role] = tuple(rows)
    for useless in (
        *overrides.unused(place.name for rows in found.values() for place in rows),
        *overrides.useless(),
    ):
        with faults:
            raise useless
    with faults:
        _check_names(document, found)
    faults.end()
    return found


def switches(document: Document, rows: Mapping[str, tuple[Place, ...]], tier: Mapping[str, int]) -> tuple[Switch, ...]:
    """Return all switches; DesignError for models and systems that there is no data for."""
    faults = Gathered()
    found: list[Switch] = []
    for number, (role, intent) in enumerate(document.intent.topology.switches.items()):
        for place in rows[role]:
            with faults:
                found.append(_switch(document, place, intent, (number, tier[role])))
    faults.end()
    return tuple(found)


def hosts(document: Document, rows: Mapping[str, tuple[Place, ...]]) -> tuple[Host, ...]:
    """Return all hosts with their NICs; DesignError for NICs that there is no data for."""
    topology = document.intent.topology
    faults = Gathered()
    found: list[Host] = []
    for role, intent in topology.hosts.items():
        for place in rows.get(role, ()):
            with faults:
                cards = tuple(_all_cards(document, place))
                _check_devices(document, place, cards)
                found.append(
                    Host(
                        name=place.real,
                        place=place.name,
                        role=role,
                        pod=place.pod,
                        ordinal=place.ordinal,
                        system=place.given.system or intent.system,
                        given=place.given,
                        intent=intent,
                        cards=cards,
                    )
                )
    faults.end()
    return tuple(found)


def _names(role: str, intent: SwitchRole | HostRole, pods: int) -> Iterator[tuple[str, int | None, int]]:
    if intent.per is None:
        yield from ((f"{role}{number + 1:02d}", None, number) for number in range(intent.count))
        return
    for pod in range(1, pods + 1):
        yield from ((f"p{pod}-{role}{number + 1:02d}", pod, number) for number in range(intent.count))


def _check_names(document: Document, rows: Mapping[str, tuple[Place, ...]]) -> None:
    owner: dict[str, Place] = {}
    for places_of_role in rows.values():
        for place in places_of_role:
            other = owner.setdefault(place.real, place)
            if other is place:
                continue
            if place.given.name or other.given.name:
                named = place if place.given.name else other
                raise fault(
                    document,
                    Overrides(document).origin(named.name, "name"),
                    f"nodes {other.name!r} and {place.name!r} are both called {place.real!r}",
                    "give each node a name of its own",
                )
            kind = "hosts" if place.role in document.intent.topology.hosts else "switches"
            raise fault(
                document,
                f"topology.{kind}.{place.role}",
                f"roles {other.role!r} and {place.role!r} both have a node {place.real!r}",
                "give roles names of which none is another one followed by digits",
            )


def _switch(document: Document, place: Place, intent: SwitchRole, where: tuple[int, int]) -> Switch:
    given, role = place.given, f"topology.switches.{place.role}"
    system, model = given.system or intent.system, given.model or intent.model
    with placed(document, f"nodes.{place.name}.model" if given.model else f"{role}.model"):
        found = switch(model)
    with placed(document, f"nodes.{place.name}.system" if given.system else f"{role}.system"):
        names = naming(model, system)
    number, tier = where
    return Switch(
        name=place.real,
        place=place.name,
        role=place.role,
        pod=place.pod,
        ordinal=place.ordinal,
        system=system,
        given=given,
        number=number,
        tier=tier,
        intent=intent,
        model=found,
        naming=names,
    )


def _all_cards(document: Document, place: Place) -> Iterator[Cards]:
    """Yield the NICs of a host: those of its own role, then those of roles that are ``of`` it, in file order."""
    roles = {role: intent for role, intent in document.intent.topology.hosts.items() if place.role in {role, intent.of}}
    given = place.given.interfaces
    ports = sum(intent.nics * intent.ports for intent in roles.values())
    if given is not None and len(given) != ports:
        raise fault(
            document,
            f"nodes.{place.name}.interfaces",
            f"{place.real} is given {len(given)} interfaces, and has {ports} NIC ports",
            f"name {ports}: NIC by NIC, port by port",
        )
    nics, first = 0, 0
    for role, intent in roles.items():
        last = first + intent.nics * intent.ports
        named = intent.interfaces if given is None else given[first:last]
        # What nodes says of the model is about the NICs of the host's own role.
        model = place.given.nic if role == place.role else None
        path = f"nodes.{place.name}.nic" if model else f"topology.hosts.{role}.nic"
        with placed(document, path):
            found = nic(model or intent.nic)
        devices = named or _devices(found, intent, nics)
        yield Cards(role, intent, found, nics, devices, named=named is not None or found.names is not None)
        nics, first = nics + intent.nics, last


def _check_devices(document: Document, place: Place, cards: Sequence[Cards]) -> None:
    """Refuse device names of a host that two of its NIC ports have, or a port and a bond."""
    owner: dict[str, str] = {}
    for card in cards:
        names = [(port, f"port {number}") for number, port in enumerate(card.ports, 1)]
        if card.intent.bond == LACP:
            bonds = range(card.first + 1, card.first + card.intent.nics + 1)
            names += [(bond_name(number), f"the bond of NIC {number}") for number in bonds]
        for name, what in names:
            whose = f"{what} of role {card.role}"
            other = owner.setdefault(name, whose)
            if other != whose:
                path = Overrides(document).origin(place.name, "interfaces") or f"topology.hosts.{card.role}.interfaces"
                said = f"{path}: {other} and {whose} are both called {name}"
                raise fault(document, path, said, "give each port a device name of its own")


def _devices(model: NicModel, intent: HostRole, first: int) -> tuple[str, ...]:
    """Return the device names of all NIC ports: as the NIC has them, else labels (``nic1``, ``nic1p2``)."""
    if model.names is not None:
        start = first * intent.ports
        return tuple(model.names.name(start + number + 1) for number in range(intent.nics * intent.ports))
    labels = [f"nic{first + number + 1}" for number in range(intent.nics)]
    if intent.ports == 1:
        return tuple(labels)
    return tuple(f"{label}p{leg + 1}" for label in labels for leg in range(intent.ports))

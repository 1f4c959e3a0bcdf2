"""Room: which port of a switch each cable of an entry takes.

Without ``ports`` and ``to_ports`` a switch with a tier above uses ports 1..P/2 for what is below it and P/2+1..P for
what is above; one without a tier above uses all for what is below. Cables of one entry follow one another in order of
their places, so that a further node takes a port that nobody had. Where two entries share a side, the second would
have to begin where the first ends, and move when that grows: so the ports of both are to be written, unless the first
one's places are fixed. Written ports are those of the model, and no two entries write the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fabric.design.faults import fault, placed
from fabric.design.layout import Switch
from fabric.design.overrides import path_of
from fabric.hardware.lookup import naming, switch
from fabric.hardware.ports import Spot
from fabric.intent.document import Document
from fabric.intent.portrange import Ports

Side: TypeAlias = Literal["up", "down"]
Chooser: TypeAlias = Callable[[Switch, int], Spot]
_BEYOND = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one entry of ``topology.cables`` wants of each switch of a role.

    ``key`` is ``ports`` or ``to_ports``; ``fixed`` says that ``places`` does not change when the fabric grows.
    """

    entry: int
    key: str
    role: str
    side: Side
    places: int
    fixed: bool
    written: Ports | None


@dataclass
class Rooms:
    """The ports of all roles, given out entry by entry in file order."""

    document: Document
    taken: dict[tuple[str, Side], list[Wanted]] = field(default_factory=dict)
    written: dict[str, dict[int, str]] = field(default_factory=dict)

    def take(self, wanted: Wanted) -> Chooser:
        """Return which spot of a switch the cable with a place (from 0) takes; DesignError where that is open."""
        if wanted.written is not None:
            return self._written(wanted, wanted.written)
        earlier = self.taken.setdefault((wanted.role, wanted.side), [])
        if any(not other.fixed for other in earlier):
            raise self._open(earlier, wanted)
        first = sum(other.places for other in earlier)
        earlier.append(wanted)
        up = wanted.side == "up"

        def choose(node: Switch, place: int) -> Spot:
            return Spot((node.model.ports // 2 if up else 0) + first + place + 1, 0, 1)

        return choose

    def _written(self, wanted: Wanted, ports: Ports) -> Chooser:
        path = f"topology.cables.{wanted.entry}.{wanted.key}"
        if wanted.places > len(ports):
            raise fault(
                self.document,
                path,
                f"{path}: {ports} has places for {len(ports)} cables, and each {wanted.role} has {wanted.places}",
                "name more ports, or lower the counts",
            )
        ways, role = ports.ways, self.document.intent.topology.switches[wanted.role]
        have, last = switch(role.model).ports, max(ports.numbers)
        if last > have:
            raise fault(
                self.document,
                path,
                f"{path}: {ports} names port {last}, and {role.model} of role {wanted.role} has {have}",
                f"name ports from 1 to {have}",
            )
        self._check_apart(wanted, path, ports)
        names = naming(role.model, role.system)
        with placed(self.document, path):
            names.name(ports.numbers[0], ways - 1, ways)
        spots = tuple(Spot(number, sub, ways) for number in ports.numbers for sub in range(ways))

        def choose(node: Switch, place: int) -> Spot:
            if node.naming is not names:
                with placed(self.document, path_of(self.document, node, "model")):
                    node.naming.name(*spots[place])
            return spots[place]

        return choose

    def _check_apart(self, wanted: Wanted, path: str, ports: Ports) -> None:
        """Refuse ports that another entry has: cables would meet there, now or when either grows."""
        owners = self.written.setdefault(wanted.role, {})
        shared = [number for number in ports.numbers if number in owners]
        if shared:
            raise fault(
                self.document,
                path,
                f"{path}: port {shared[0]} of each {wanted.role} belongs to {owners[shared[0]]} already",
                "name ports that no other entry names, also where not all of them are in use yet",
            )
        owners |= dict.fromkeys(ports.numbers, path)

    def _open(self, earlier: list[Wanted], wanted: Wanted) -> Exception:
        path = f"topology.cables.{wanted.entry}"
        ports = switch(self.document.intent.topology.switches[wanted.role].model).ports
        said, first = [], ports // 2 + 1 if wanted.side == "up" else 1
        for one in (*earlier, wanted):
            said.append(f'{one.key}: "{first}-{first + one.places - 1}" in topology.cables.{one.entry}')
            first += one.places
        return fault(
            self.document,
            path,
            f"{path}: {wanted.role} has cables of topology.cables.{earlier[-1].entry} on the same side, "
            "and would have to move these when there are more of those",
            f"write which ports each takes, such as {', '.join(said)}",
        )


def check_sane(document: Document, path: str, node: Switch, needed: tuple[int, str]) -> None:
    """Refuse what is so far beyond a model that writing it out for the rules would only cost time and memory."""
    ports, hint = needed
    if ports > _BEYOND * node.model.ports:
        raise fault(
            document,
            path,
            f"{path} needs {ports} ports of each {node.role}, and {node.model.name} has {node.model.ports}",
            hint,
        )

"""Listed cables: lines of CSV files to cables between nodes that are there, and changes of single cables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from fabric.design.called import meant
from fabric.design.faults import Gathered, fault
from fabric.design.layout import Attachment, Host, Laid, Switch, Wire
from fabric.errors import DesignError
from fabric.hardware.ports import Spot
from fabric.intent.document import Document
from fabric.intent.listed import ListedCable
from fabric.intent.prefixes import IpAddress
from fabric.intent.sections.topology import CableChange

_SOUGHT = 8
Given: TypeAlias = tuple[tuple[IpAddress, IpAddress], ...]


@dataclass(frozen=True)
class Nodes:
    """All nodes by name; ``ways`` says in how many parts listed ports (node, number) are broken out."""

    switches: Mapping[str, Switch]
    hosts: Mapping[str, Host]
    ways: Mapping[tuple[str, int], int]

    def of(self, name: str) -> Switch | Host:
        """Return the node of a name that was found to be one."""
        return self.switches.get(name) or self.hosts[name]


def check_names(document: Document, places: Mapping[str, tuple[str, str]]) -> None:
    """Refuse lines that name no node, or two hosts; ``places`` are place and role of each name.

    When more is wrong than is shown, the rest is not looked at; names alike are sought for the first ones only.
    """
    faults, hosts = Gathered(), document.intent.topology.hosts
    hints: dict[str, str] = {}
    for line in document.cables:
        if faults.full:
            break
        unknown = [name for name in (line.from_node, line.to_node) if name not in places]
        for name in unknown:
            if name not in hints:
                nodes = ((real, place) for real, (place, _) in places.items() if len(hints) < _SOUGHT)
                hints[name] = meant(name, nodes, "names are those of roles, or given in nodes")
            with faults:
                raise _wrong(line, f"there is no node {name!r}", hints[name])
        if not unknown and places[line.from_node][1] in hosts and places[line.to_node][1] in hosts:
            with faults:
                said = f"{line.from_node} and {line.to_node} are both hosts"
                raise _wrong(line, said, "hosts are cabled to switches")
    faults.end()


def listed(document: Document, nodes: Nodes, tier: Mapping[str, int]) -> tuple[list[Wire], list[Attachment]]:
    """Return the cables of all lists; one DesignError for every line that names what is not there."""
    faults = Gathered()
    wires: list[Wire] = []
    attached: list[Attachment] = []
    for line in document.cables:
        with faults:
            ends = (
                (nodes.of(line.from_node), line.from_port, line.from_address),
                (nodes.of(line.to_node), line.to_port, line.to_address),
            )
            (low, low_port, low_address), (high, high_port, high_address) = sorted(
                ends, key=lambda end: 0 if isinstance(end[0], Host) else tier[end[0].role]
            )
            given = _given(line, low_address, high_address)
            how = (Laid(line.entry, line.speed, line.length_m or 0.0, line.media, line.fec, line.place), given)
            if isinstance(low, Switch) and isinstance(high, Switch):
                wires.append(_wire(line, (low, low_port), (high, high_port), how, nodes.ways))
            elif isinstance(low, Host) and isinstance(high, Switch):
                attached.append(_attachment(line, (low, low_port), (high, high_port), how, nodes.ways))
    faults.end()
    return wires, attached


def changed(document: Document, wires: list[Wire], attached: list[Attachment]) -> tuple[list[Wire], list[Attachment]]:
    """Return the cables with what ``match`` entries change; DesignError when one matches nothing or two meet."""
    changes = _Changes(document)
    if not changes.entries:
        return wires, attached
    new_wires = [replace(wire, laid=changes.laid(wire.laid, _ends(wire))) for wire in wires]
    new_attached = [replace(row, laid=changes.laid(row.laid, _ends(row))) for row in attached]
    changes.end((*wires, *attached))
    return new_wires, new_attached


class _Changes:
    """The ``match`` entries of ``topology.cables``, which of them were of use, and what was wrong with them."""

    def __init__(self, document: Document) -> None:
        rows = enumerate(document.intent.topology.cables)
        self.entries = {index: entry for index, entry in rows if isinstance(entry, CableChange)}
        self._document = document
        self._used: set[int] = set()
        self._faults = Gathered()

    def laid(self, laid: Laid, ends: tuple[str, str]) -> Laid:
        """Return what a cable with these ends is, with all changes."""
        values: dict[str, Any] = {}
        setters: dict[str, int] = {}
        for index, entry in self.entries.items():
            if not any(fnmatchcase(end, entry.match) for end in ends):
                continue
            self._used.add(index)
            for field in sorted(entry.model_fields_set - {"match"}):
                with self._faults:
                    self._check(f"topology.cables.{index}.{field}", ends, setters.get(field))
                setters[field] = index
                values[field] = getattr(entry, field)
        if "length_m" in values:
            values["length"] = float(values.pop("length_m"))
        return replace(laid, **values) if values else laid

    def end(self, rows: Iterable[Wire | Attachment]) -> None:
        """Raise what was wrong, and that an entry matched none of the cables."""
        for index in sorted(self.entries.keys() - self._used):
            match = self.entries[index].match
            near = get_close_matches(match, [end for row in rows for end in _ends(row)], n=3)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            with self._faults:
                path = f"topology.cables.{index}.match"
                said = f"{path}: no cable has an end {match!r}"
                raise fault(self._document, path, said, f"{hint}ends are written node:port, as `fabric show` has them")
        self._faults.end()

    def _check(self, path: str, ends: tuple[str, str], earlier: int | None) -> None:
        if earlier is not None:
            said = f"{path}: {ends[0]} is given this by topology.cables.{earlier} as well"
            raise fault(self._document, path, said, "make one of the two narrower")


def _ends(row: Wire | Attachment) -> tuple[str, str]:
    if isinstance(row, Wire):
        return f"{row.lower.name}:{row.lower_port}", f"{row.upper.name}:{row.upper_port}"
    return f"{row.host.name}:{row.port}", f"{row.leaf.name}:{row.leaf_port}"


def _wire(
    line: ListedCable,
    lower: tuple[Switch, str],
    upper: tuple[Switch, str],
    how: tuple[Laid, Given],
    ways: Mapping[tuple[str, int], int],
) -> Wire:
    (low, low_port), (high, high_port) = lower, upper
    if low.tier == high.tier:
        raise _wrong(line, f"{low.name} and {high.name} are of one tier", "cables lead from one tier to the next")
    return Wire(
        low, _spot(line, low, low_port, ways), low_port, high, _spot(line, high, high_port, ways), high_port, *how
    )


def _attachment(
    line: ListedCable,
    lower: tuple[Host, str],
    upper: tuple[Switch, str],
    how: tuple[Laid, Given],
    ways: Mapping[tuple[str, int], int],
) -> Attachment:
    (host, port), (leaf, leaf_port) = lower, upper
    for cards in host.cards:
        if port in cards.ports:
            nic, leg = divmod(cards.ports.index(port), cards.intent.ports)
            spot = _spot(line, leaf, leaf_port, ways)
            return Attachment(host, cards, cards.first + nic, leg, port, leaf, spot, leaf_port, *how)
    known = ", ".join(name for cards in host.cards for name in cards.ports)
    raise _wrong(line, f"{host.name} has no NIC port {port!r}", f"its ports: {known}")


def _spot(line: ListedCable, switch: Switch, port: str, ways: Mapping[tuple[str, int], int]) -> Spot:
    """Return where a port is. ``Ethernet0`` may be whole or the first part of one: the other ports of the list tell."""
    found = switch.naming.spot(port)
    if found is None:
        first, last = switch.naming.name(1), switch.naming.name(switch.model.ports)
        raise _wrong(
            line,
            f"{switch.name} has no port {port!r}",
            f"ports of {switch.model.name} under {switch.system}: {first} to {last}",
        )
    return switch.naming.spot(port, ways.get((switch.name, found.number), found.ways)) or found


def _given(line: ListedCable, lower: tuple[IpAddress, ...], upper: tuple[IpAddress, ...]) -> Given:
    """Return the pairs of addresses that a line gives, one for each family that it speaks of."""
    families = [[address.version for address in addresses] for addresses in (lower, upper)]
    if families[0] != families[1] or set(lower) & set(upper):
        said = "from_address and to_address do not make a link"
        raise _wrong(line, said, "give each end an address of the same families, or neither")
    return tuple(zip(lower, upper, strict=True))


def _wrong(line: ListedCable, message: str, hint: str) -> DesignError:
    return DesignError(message, where=str(line.place), hint=hint)


def broken_out(document: Document, switches: Mapping[str, Switch]) -> Mapping[tuple[str, int], int]:
    """Return in how many parts ports (node, number) are broken out: the most that any name in the lists tells of."""
    found: dict[tuple[str, int], int] = {}
    for line in document.cables:
        for name, port in ((line.from_node, line.from_port), (line.to_node, line.to_port)):
            spot = switches[name].naming.spot(port) if name in switches else None
            if spot is not None:
                found[name, spot.number] = max(spot.ways, found.get((name, spot.number), 1))
    return found

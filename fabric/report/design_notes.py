"""What else there is to know of a design: jobs, tenants, what is left alone, bonds, breakouts, hooks, waivers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias

from fabric.changes.wording import row_words
from fabric.design.model import Design
from fabric.hardware.lookup import switch
from fabric.ranges import addresses, ranges, runs_of
from fabric.report.finding_rows import some, waiver
from fabric.results import Finding
from fabric.settings.addresses import Addresses
from fabric.settings.balance import Balancing
from fabric.settings.bonds import Bonds
from fabric.settings.buffers import Buffers
from fabric.settings.facet import ABSENT, Absent, Facet, Row
from fabric.settings.pools import Pools
from fabric.settings.vlans import Vlans
from fabric.settings.watchdog import Watchdog
from fabric.units import format_bytes

# What is noted, for whom or where, and what there is to say.
Note: TypeAlias = tuple[str, str, str]

# Facets of which switches mostly say the same, so that one line says it for all.
_SWITCHES: Final[tuple[type[Facet[Any]], ...]] = (Balancing, Watchdog)
_MOST: Final = 6


def notes(design: Design, waived: Iterable[Finding] = ()) -> Iterator[Note]:
    """Yield what has no table of its own, one line for each thing; nothing for what the intent does not speak of.

    ``waived`` are the findings of rules about the design that the user accepts.
    """
    yield from _classes(design)
    for tenant in design.tenants:
        allowed = f", classes {' '.join(tenant.classes)}" if tenant.classes is not None else ""
        yield "tenant", tenant.name, f"VNI {tenant.vni}, {ranges(tenant.hosts, most=_MOST)}{allowed}"
    yield from _left_alone(design)
    yield from _vlans(design)
    yield from _bonds(design)
    yield from _breakouts(design)
    for facet in _SWITCHES:
        yield from _alike(design, facet)
    yield from _buffers(design)
    yield from _alike(design, Pools)
    if design.idle_hook is not None:
        yield "hook", "idle", design.idle_hook
    yield from _accepted(waived)


def _classes(design: Design) -> Iterator[Note]:
    """Say which class each job and each label of traffic has."""
    jobs: dict[str, list[str]] = {}
    for name, of in design.job_classes.items():
        kind, _, communicator = name.partition(".")
        jobs.setdefault(kind, []).append(f"{communicator}: class {of}" if communicator else f"class {of}")
    for kind, said in jobs.items():
        yield "job", kind, ", ".join(said)
    if labels := [f"{label}: class {each.name}" for each in design.classes for label in each.traffic]:
        yield "traffic", "labels", ", ".join(labels)


def _left_alone(design: Design) -> Iterator[Note]:
    groups: dict[tuple[str | None, str | None, int | None], list[str]] = {}
    for each in design.externals:
        groups.setdefault((each.neighbor, each.port, each.asn), []).append(each.node)
    for (neighbor, port, asn), nodes in groups.items():
        pairs = (("neighbor", neighbor), ("port", port), ("AS", asn))
        yield "left alone", ranges(nodes, most=_MOST), ", ".join(f"{word} {value}" for word, value in pairs if value)


def _vlans(design: Design) -> Iterator[Note]:
    """Say on which leaves a VLAN is, and which gateways it has there."""
    nodes: dict[int, list[str]] = {}
    gateways: dict[int, list[str]] = {}
    for node in design.network.nodes.values():
        held = [key.partition(" ") for key in node.settings.rows(Addresses)]
        for number in dict.fromkeys(row.id for row in node.settings.rows(Vlans).values()):
            nodes.setdefault(number, []).append(node.name)
            gateways.setdefault(number, []).extend(each for port, _, each in held if port == f"vlan{number}")
    for number, names in sorted(nodes.items()):
        shown = f", gateways {addresses(gateways[number])}" if gateways[number] else ""
        yield "VLAN", str(number), f"on {ranges(names, most=_MOST)}{shown}"


def _bonds(design: Design) -> Iterator[Note]:
    nodes: dict[tuple[str, int, int], list[str]] = {}
    for node in design.network.nodes.values():
        bonds = node.settings.rows(Bonds)
        for size in sorted({len(bond.members) for bond in bonds.values()}):
            number = sum(len(bond.members) == size for bond in bonds.values())
            nodes.setdefault((node.role, number, size), []).append(node.name)
    for (_, number, size), names in nodes.items():
        yield "bonds", ranges(names, most=_MOST), f"{number} each, of {size} port{'' if size == 1 else 's'}"


def _breakouts(design: Design) -> Iterator[Note]:
    """Say which ports of switches are split, and into how many; each set of ports is looked at once."""
    alike: dict[tuple[str, str, frozenset[str]], list[str]] = {}
    for node in design.network.nodes.values():
        if node.kind == "switch" and not isinstance(node.facts.ports, Absent):
            alike.setdefault((node.model, node.system, node.facts.ports), []).append(node.name)
    nodes: dict[str, list[str]] = {}
    for kind, names in alike.items():
        for said in _split(*kind):
            nodes.setdefault(said, []).extend(names)
    for said, names in nodes.items():
        yield "breakouts", ranges(names, most=_MOST), said


def _split(model: str, system: str, ports: frozenset[str]) -> Iterator[str]:
    known = switch(model)
    if len(ports) > known.ports and (runs := known.systems.get(system)):
        parts = Counter(spot.number for port in ports if (spot := runs.names.spot(port)))
        for ways in sorted(set(parts.values()) - {1}):
            yield f"ports {runs_of(number for number, found in parts.items() if found == ways)} into {ways} each"


def _accepted(waived: Iterable[Finding]) -> Iterator[Note]:
    groups: dict[tuple[str, str], list[str]] = {}
    for each in waived:
        groups.setdefault((each.rule, waiver(each)), []).extend((each.path, *each.also))
    for (rule, reason), paths in groups.items():
        yield "waived", rule, f"{some(paths)}: {reason}"


def _alike(design: Design, facet: type[Facet[Any]]) -> Iterator[Note]:
    """Yield what rows of a facet say, those of one node that say the same once, with the nodes that say it."""
    nodes: dict[str, dict[str, None]] = {}
    for node in design.network.nodes.values():
        for key, row in node.settings.rows(facet).items():
            said = f"{key}: {row_words(row)}" if facet is Pools else row_words(row)
            nodes.setdefault(said, {})[node.name] = None
    for said, names in nodes.items():
        if said:
            yield facet.name, _whom(design, names), said


def _buffers(design: Design) -> Iterator[Note]:
    """Yield buffers likewise, with the span of headrooms, of which each speed and length of cable has its own."""
    nodes: dict[str, dict[str, None]] = {}
    headrooms: dict[str, set[int]] = {}
    for row, names in _rows(design, Buffers).items():
        said = row_words(replace(row, headroom=ABSENT, length=ABSENT, mtu=ABSENT))
        nodes.setdefault(said, {}).update(names)
        headrooms.setdefault(said, set()).update(() if isinstance(row.headroom, Absent) else (row.headroom,))
    for said, names in nodes.items():
        ends = dict.fromkeys(format_bytes(end(headrooms[said])) for end in (min, max) if headrooms[said])
        shown = ", ".join(filter(None, (f"headroom {' .. '.join(ends)}" if ends else "", said)))
        if shown:
            yield Buffers.name, _whom(design, names), shown


def _rows(design: Design, facet: type[Facet[Row]]) -> dict[Row, dict[str, None]]:
    """Return the different rows of a facet, each with the nodes that have it."""
    found: dict[Row, dict[str, None]] = {}
    for node in design.network.nodes.values():
        for row in node.settings.rows(facet).values():
            found.setdefault(row, {})[node.name] = None
    return found


def _whom(design: Design, names: Collection[str]) -> str:
    switches = sum(node.kind == "switch" for node in design.network.nodes.values())
    return "all switches" if len(names) == switches else ranges(names, most=3)

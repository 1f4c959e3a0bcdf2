"""A design for people: as an overview in which equals stand together, in full, and node by node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from fabric.changes.wording import row_words
from fabric.design.budget import budget_of
from fabric.design.budget_words import formula, summary
from fabric.design.chips import chip_at
from fabric.design.model import Design
from fabric.ranges import count, ranges
from fabric.report import design_rows as rows_of
from fabric.report.design_notes import notes
from fabric.report.tables import Part, filled, table
from fabric.results import Finding
from fabric.settings.network import Node


def overview(design: Design, waived: Iterable[Finding] = ()) -> Iterator[Part]:
    """Yield what a fabric is on one screen: equal nodes and equal cables in one row each, classes in full."""
    yield _head(design)
    yield filled(rows_of.GROUPS, rows_of.group_rows(design))
    yield Text("")
    yield filled(rows_of.CABLES, rows_of.cable_rows(design))
    yield Text("")
    yield _classes(design)
    yield Text("")
    yield filled(rows_of.NUMBERS, rows_of.number_rows(design))
    if design.rails:
        yield Text("")
        yield filled(rows_of.RAILS, rows_of.rail_rows(design))
    yield from _notes(design, waived)
    lead = next(iter(design.network.nodes), "NODE")
    yield Text(f"`fabric show {lead}` shows a node, `fabric show --all` every node and cable", style="dim")


def listing(design: Design, waived: Iterable[Finding] = ()) -> Iterator[Part]:
    """Yield every node, class and cable."""
    network = design.network
    yield _head(design)
    yield filled(rows_of.NODES, (rows_of.node_row(design, node) for node in network.nodes.values()))
    yield Text("")
    yield _classes(design)
    yield Text("")
    yield filled(rows_of.LINKS, rows_of.link_rows(design))
    yield from _notes(design, waived)


def node(design: Design, name: str, *, why: bool) -> Iterator[Part]:
    """Yield the cables and settings of a node, equal rows together, and with ``why`` where each comes from."""
    found = design.network.nodes[name]
    places = ((word, value) for word, value in (("pod", found.pod), ("plane", found.plane)) if value is not None)
    where = "".join(f", {word} {value}" for word, value in places)
    state = "" if found.state == "active" else f", {found.state}"
    yield Text(f"{name}: {found.kind} of role {found.role}{where}, system {found.system}, model {found.model}{state}")
    yield filled(rows_of.PORTS, rows_of.port_rows(design, name))
    yield Text("")
    yield from _setting_lines(design, found, why=why)
    yield from _budget_lines(design, found, why=why)


def _head(design: Design) -> Text:
    network = design.network
    pods = {each.pod for each in network.nodes.values() if each.pod is not None}
    shown = f", {count(len(pods), 'pod')}" if pods else ""
    sizes = f"{count(len(network.nodes), 'node')}, {count(len(network.links), 'link')}"
    return Text(f"fabric {design.fabric}: {sizes}{shown}, IP MTU {design.mtu}")


def _classes(design: Design) -> Part:
    return filled(rows_of.CLASSES, map(rows_of.class_row, design.classes))


def _notes(design: Design, waived: Iterable[Finding]) -> Iterator[Part]:
    if found := tuple(notes(design, waived)):
        yield Text("")
        yield table(("also", "", ""), found)


def _setting_lines(design: Design, found: Node, *, why: bool) -> Iterator[Text]:
    """Yield equal rows in one line, and with ``why`` below it the reason of each key, or that of all of them."""
    for facet in found.settings:
        groups: dict[str, list[str]] = {}
        for key, row in facet.rows.items():
            groups.setdefault(row_words(row), []).append(key)
        for value, keys in groups.items():
            named = ", ".join(keys) if why or len(keys) <= rows_of.MOST_RUNS else ranges(keys)
            yield Text.assemble((f"{facet.name:<12}", "bold"), named, f": {value}" if value else "")
            reasons = {key: rows_of.why(design, f"{found.name}.{facet.name}.{key}") for key in keys} if why else {}
            if len(set(reasons.values())) == 1:
                reasons = {"why": reasons[keys[0]]}
            yield from (Text(f"{'':<14}{key}: {reason}", style="dim") for key, reason in reasons.items())


def _budget_lines(design: Design, found: Node, *, why: bool) -> Iterator[Text]:
    """Yield what the buffer of a switch is used for, and with ``why`` by which formula; nothing where that is open."""
    chip, budget = chip_at(design.network, found), budget_of(design.network, found)
    if chip is None or budget is None or not budget.ports:
        return
    yield Text.assemble((f"{'buffer':<12}", "bold"), summary(budget))
    if why:
        said = formula(budget, chip, found, design.network.oversubscribe)
        yield Text(f"{'':<14}why: {said}", style="dim")

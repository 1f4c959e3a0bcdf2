"""Plan: read devices, compare with the design, and put the changes in order. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabric.changes.change import Change
from fabric.changes.delta import Delta
from fabric.changes.plan import Plan
from fabric.changes.reading import Reading
from fabric.changes.rendered import Rendered
from fabric.changes.steps import Impact
from fabric.design.model import Design
from fabric.diff.compare import compare
from fabric.errors import FabricError, PlatformError, Problem
from fabric.platforms.lookup import system
from fabric.render import render
from fabric.settings.facet import ABSENT, Settings
from fabric.settings.network import Node
from fabric.settings.persistence import Persistence
from fabric.settings.scope import Scope
from fabric.workflows.mixture import interim
from fabric.workflows.prepare import Prepared
from fabric.workflows.reading import Reached, unmanaged
from fabric.workflows.waves import waves


@dataclass(frozen=True)
class Goal:
    """Where a node is to be brought: settings within a scope, and the texts that say the same.

    ``remember`` is the scope that the node keeps from then on.
    """

    wanted: Settings
    rendered: Rendered
    scope: Scope
    remember: Scope


def goal(design: Design, node: Node, reading: Reading, only: frozenset[str] = frozenset()) -> Goal:
    """Return where the design wants a node; with ``only``, its other facets stay as they were read."""
    runs = system(node.kind, node.system)
    managed = frozenset(facet.name for facet in runs.facets)
    scope = design.scopes[node.name] | reading.last_scope
    wanted = node.settings.only(managed)
    if only:
        wanted = reading.settings.within(scope).only(managed).with_(*wanted.only(only))
    rendered = render(node.kind, node.system, node.name, wanted, reading.facts)
    if Persistence in runs.facets:
        wanted = wanted.with_(runs.persisted(wanted, rendered))
    return Goal(wanted, rendered, scope, design.scopes[node.name])


def way_back(node: Node, before: Reading, scope: Scope) -> Goal:
    """Return the goal of an undo: what an earlier reading says within the scope of a run."""
    runs = system(node.kind, node.system)
    managed = frozenset(facet.name for facet in runs.facets)
    wanted = before.settings.within(scope).only(managed)
    return Goal(wanted, runs.recorded(before, scope), scope, before.last_scope)


def difference(node: Node, reading: Reading, aim: Goal) -> Delta:
    """Return what differs between a reading and a goal; PlatformError when a managed facet could not be read.

    Nothing read is not nothing different: a daemon that is down must not look like a node that is set as designed.
    """
    runs = system(node.kind, node.system)
    blind = [f.name for f in runs.facets if aim.wanted.get(f) is not ABSENT and reading.settings.get(f) is ABSENT]
    if blind:
        raise PlatformError(
            f"cannot be read: {', '.join(blind)}",
            where=node.name,
            hint=f"see whether what {node.system} needs for it is installed and running on {node.name}",
        )
    return compare(node.name, reading.settings, aim.wanted, aim.scope, runs.unreadable)


def change(node: Node, reading: Reading, aim: Goal) -> Change:
    """Return the change that brings a node from what was read to a goal."""
    delta = difference(node, reading, aim)
    steps = system(node.kind, node.system).steps(reading, aim.rendered, delta, aim.scope)
    return Change(node.name, delta, steps)


def plan(prepared: Prepared, reached: Reached, only: frozenset[str] = frozenset()) -> Plan:
    """Make the plan that brings what was read to the design."""
    design = prepared.design
    nodes = design.network.nodes
    unreached = {name: _problem(name, error) for name, error in reached.failed.items()}
    changes = {}
    for name, reading in reached.readings.items():
        try:
            changes[name] = change(nodes[name], reading, goal(design, nodes[name], reading, only))
        except FabricError as error:
            unreached[name] = _problem(name, error)
    differing = {name: found for name, found in changes.items() if found.delta}
    order = waves(design.network, differing)
    return Plan(
        fabric=design.fabric,
        intent=prepared.document.digest,
        waves=order,
        affected={name: hosts for name, found in differing.items() if (hosts := _affected(design, found))},
        interim=interim(prepared, {name: reached.readings[name] for name in changes}, order),
        changes=differing,
        equal=tuple(name for name, found in changes.items() if not found.delta),
        unreached=unreached,
        unmanaged=_unmanaged(node for node in nodes.values() if node.name in changes),
        unverified={name: found.delta.unverified for name, found in changes.items() if found.delta.unverified},
    )


def _unmanaged(nodes: Iterable[Node]) -> Mapping[str, tuple[str, ...]]:
    """Name per system the designed facets that it does not manage on any of its nodes."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        found.setdefault(node.system, set()).update(unmanaged(node, system(node.kind, node.system)))
    return {name: tuple(sorted(facets)) for name, facets in found.items()}


def _affected(design: Design, found: Change) -> tuple[str, ...]:
    """Name the hosts that feel a harmful change: those on the node itself. Above the leaves other ways remain."""
    node = design.network.nodes[found.node]
    if found.impact is Impact.HITLESS or node.tier > 1:
        return ()
    if node.kind == "host":
        return (node.name,)
    beside = (design.network.nodes[far.node] for _, _, far in design.network.links_of[node.name])
    return tuple(dict.fromkeys(far.name for far in beside if far.kind == "host" and far.state != "planned"))


def _problem(name: str, error: FabricError) -> Problem:
    return Problem(error.message, error.where or name, error.hint)

"""States: what ``state`` of the intent changes about what is expected of nodes and of what stands beside them.

A planned node is not there: nothing is expected of it, nor of the links to it. One in maintenance may be there or not:
what fails there, or beside it because of it, is not held against the fabric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from ipaddress import ip_interface

from fabric.checks.contract import Check, Seen
from fabric.checks.runner import run
from fabric.design.model import Design, Rail
from fabric.results import CheckResult, Status
from fabric.settings.addresses import Addresses
from fabric.settings.bonds import Bonds
from fabric.settings.network import End, Network, State


def in_state(network: Network, state: State) -> frozenset[str]:
    """Return the names of the nodes in a state."""
    return frozenset(name for name, node in network.nodes.items() if node.state == state)


def present(design: Design) -> Design:
    """Return the design without planned nodes, without the cables to them and the rails on these."""
    return _without(design, in_state(design.network, "planned"))


def judged(chosen: Iterable[Check], seen: Seen) -> tuple[CheckResult, ...]:
    """Run checks, and say of each result that the state of a node accounts for that this is so.

    All such results are skips, announced, as it is the intent that announces them.
    """
    chosen = tuple(chosen)
    here = replace(seen, design=present(seen.design))
    found = run(chosen, here)
    if here.design is not seen.design:
        planned = _Beside(seen.design.network, in_state(seen.design.network, "planned"))
        known = {(result.check, result.at) for result in found}
        more = (result for result in run(chosen, seen) if (result.check, result.at) not in known)
        expected = (result for result in more if planned.of(result))
        found = tuple(_excused(planned.of, "planned", (*found, *expected)))
    return _in_maintenance(found, here.design, lambda design: run(chosen, replace(here, design=design)))


def spared(design: Design, results: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
    """Return results about whole nodes, those that are not well at nodes in maintenance as skips."""
    resting = _Beside(design.network, in_state(design.network, "maintenance"))
    return tuple(_excused(resting.of, "in maintenance", results))


def _in_maintenance(
    found: tuple[CheckResult, ...], design: Design, again: Callable[[Design], tuple[CheckResult, ...]]
) -> tuple[CheckResult, ...]:
    """Excuse what is not well at or beside nodes in maintenance, and what is well as soon as they are left out."""
    names = in_state(design.network, "maintenance")
    if not names or not any(map(_bad, found)):
        return found
    beside = _Beside(design.network, names)
    all_of_them = " and ".join(name for name in design.network.nodes if name in names)
    rest = tuple(result for result in again(_without(design, names)) if _bad(result))
    # A failure that stays one has a cause of its own; a skip has when its reason stays the same.
    still = {(result.check, result.at) for result in rest if result.status is not Status.SKIP}
    same = {(result.check, result.at, result.message) for result in rest}

    def cause(result: CheckResult) -> str:
        spot = (result.check, result.at)
        return beside.of(result) or ("" if spot in still or (*spot, result.message) in same else all_of_them)

    return tuple(_excused(cause, "in maintenance", found))


@dataclass(frozen=True)
class _Beside:
    """Finds out which of some nodes a result is about: it is at the node, at a link to it, or at a session with it."""

    network: Network
    names: frozenset[str]

    def of(self, result: CheckResult) -> str:
        """Return the node's name; empty when the result is about none of them."""
        name, _, where = result.at.partition(":")
        if name in self.names:
            return name
        _, far = self.network.ends.get(End(name, where), (None, None))
        owner = far.node if far is not None else self._owners.get(where, "")
        return owner if owner in self.names else ""

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        """The node of each of their addresses, under which sessions with them stand."""
        return {
            str(ip_interface(key.partition(" ")[2]).ip): name
            for name in self.names
            for key in self.network.nodes[name].settings.rows(Addresses)
        }


def _excused(cause: Callable[[CheckResult], str], state: str, results: Iterable[CheckResult]) -> Iterator[CheckResult]:
    for result in results:
        why = cause(result) if _bad(result) else ""
        if not why:
            yield result
            continue
        said = f"{why} {'are' if ' and ' in why else 'is'} {state}"
        message = said if state == "planned" else f"{said}: {result.message}"
        yield replace(result, status=Status.SKIP, message=message, announced=True)


def _bad(result: CheckResult) -> bool:
    return result.status is not Status.PASS and not result.announced


def _without(design: Design, names: frozenset[str]) -> Design:
    if not names:
        return design
    network = replace(
        design.network,
        nodes={name: node for name, node in design.network.nodes.items() if name not in names},
        links=tuple(link for link in design.network.links if names.isdisjoint((link.a.node, link.b.node))),
    )
    return replace(design, network=network, rails=tuple(rail for rail in design.rails if _cabled(network, rail)))


def _cabled(network: Network, rail: Rail) -> bool:
    """Tell whether all cables of a NIC port, or of the bond that it is, are in a network."""
    node = network.nodes.get(rail.node)
    if node is None:
        return False
    bond = node.settings.rows(Bonds).get(rail.port)
    return all(End(rail.node, port) in network.ends for port in (bond.members if bond else (rail.port,)))

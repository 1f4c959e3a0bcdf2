"""Read nodes: facts first, then facets; each command once per node and sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fabric.changes.command import Command, Effect, Output
from fabric.changes.reading import Reading
from fabric.errors import FabricError
from fabric.platforms.contract import Reader, System
from fabric.platforms.lookup import system
from fabric.settings.facet import Absent, Facet, Settings, State
from fabric.settings.facts import Facts
from fabric.settings.network import Node
from fabric.transport.record import Recording
from fabric.transport.replay import Replay
from fabric.transport.runner import run
from fabric.transport.session import Opener, Permitted, Session

READ = frozenset({Effect.READS})
PROBE = frozenset({Effect.READS, Effect.TRAFFIC})


@dataclass(frozen=True)
class Reached:
    """What came of reading several nodes: readings, and per node that failed its error."""

    readings: Mapping[str, Reading]
    failed: Mapping[str, FabricError]


class _Asker:
    """Run each command once, and keep the outputs."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.outputs: dict[str, Output] = {}

    def __call__(self, commands: Iterable[Command]) -> tuple[Output, ...]:
        return tuple(self._one(command) for command in commands)

    def _one(self, command: Command) -> Output:
        if command.text not in self.outputs:
            self.outputs[command.text] = self._session.run(command)
        return self.outputs[command.text]


def read(session: Session, node: Node, *, state: bool = False) -> Reading:
    """Read one node: facts, what it remembers, all settings of its system, and with ``state`` its state."""
    runs = system(node.kind, node.system)
    ask = _Asker(session)
    facts = runs.facts.parse(ask(runs.facts.commands))
    recall, parse_scope = runs.guard.recall
    scope = parse_scope(ask((recall,))[0])
    found = _facets(ask, runs.readers(facts), facts)
    states = _facets(ask, runs.state_readers(facts), facts) if state else ()
    return Reading(node.name, facts, Settings(*found), State(*states), ask.outputs, scope)


def look(session: Session, node: Node, known: Facts | None = None) -> Reading:
    """Read the state of one node, and its facts unless they are known."""
    runs = system(node.kind, node.system)
    ask = _Asker(session)
    facts = known if known is not None else runs.facts.parse(ask(runs.facts.commands))
    states = _facets(ask, runs.state_readers(facts), facts)
    return Reading(node.name, facts, Settings(), State(*states), ask.outputs)


def parse(node: Node, outputs: Mapping[str, Output]) -> Reading:
    """Make a reading of settings again from outputs that were kept, as the journal does for an undo."""
    kept = Recording("", {node.name: tuple(outputs.values())})
    return read(Replay(kept).open(node.name), node)


def _facets(ask: _Asker, readers: tuple[Reader, ...], facts: Facts) -> tuple[Facet[Any], ...]:
    parsed = (reader.parse(facts, ask(reader.commands)) for reader in readers)
    return tuple(facet for facet in parsed if not isinstance(facet, Absent))


def read_all(opener: Opener, nodes: Mapping[str, Node], jobs: int, *, state: bool = False) -> Reached:
    """Read many nodes; one that fails does not stop the others."""
    return _each(opener, nodes, jobs, lambda session: read(session, nodes[session.node], state=state))


def look_all(opener: Opener, nodes: Mapping[str, Node], jobs: int, known: Mapping[str, Facts]) -> Reached:
    """Read the state of many nodes, of which some facts are known already."""
    return _each(opener, nodes, jobs, lambda session: look(session, nodes[session.node], known.get(session.node)))


def _each(opener: Opener, nodes: Mapping[str, Node], jobs: int, task: Callable[[Session], Reading]) -> Reached:
    """Do a reading task on many nodes over sessions of their own."""

    def one(name: str) -> Reading:
        session = opener.open(name)
        try:
            return task(Permitted(session, READ))
        finally:
            session.close()

    found = run(one, tuple(nodes), jobs)
    return Reached(
        {name: got for name, got in found.items() if isinstance(got, Reading)},
        {name: got for name, got in found.items() if isinstance(got, FabricError)},
    )


def unmanaged(node: Node, runs: System) -> tuple[str, ...]:
    """Name the designed facets of a node that its system does not manage."""
    managed = {facet.name for facet in runs.facets}
    return tuple(facet.name for facet in node.settings if facet.name not in managed and facet.rows)

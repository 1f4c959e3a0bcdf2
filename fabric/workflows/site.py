"""A site: a sound design, the nodes that were chosen, and the way to them; what the commands work on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from fabric.changes.plan import Plan
from fabric.changes.planfile import Planned, document, parse
from fabric.changes.run import Run
from fabric.design.model import Design
from fabric.design.select import select
from fabric.errors import StalePlan, UsageError
from fabric.places import put_whole
from fabric.platforms.parts.secrets import masked
from fabric.ranges import ranges
from fabric.results import Verification
from fabric.settings.network import Node
from fabric.transport.record import Recorder, save
from fabric.transport.session import Opener
from fabric.workflows import apply as applying
from fabric.workflows.conduct import Conduct, Manner
from fabric.workflows.journal import Journal
from fabric.workflows.planning import plan
from fabric.workflows.prepare import Prepared, sound
from fabric.workflows.reach import devices, manageable, recording, ways
from fabric.workflows.reading import read_all
from fabric.workflows.states import in_state
from fabric.workflows.verify import Look, verify

Say = Callable[[str], None]
Ask = Callable[[str], str] | None


@dataclass(frozen=True)
class Choice:
    """What the user chose: the file, which nodes and facets of it, how many at a time, and by which way.

    ``against`` is a recording to read instead of devices; ``record`` a folder to keep what was read in.
    """

    file: Path = Path("fabric.yaml")
    limit: str | None = None
    only: frozenset[str] = frozenset()
    jobs: int = 32
    access: Path | None = None
    against: Path | None = None
    record: Path | None = None


@dataclass(frozen=True)
class Site:
    """A choice made good; ``nodes`` are those chosen, all of systems that can be read and changed."""

    choice: Choice
    prepared: Prepared
    nodes: Mapping[str, Node]
    opener: Opener
    say: Say

    @property
    def file(self) -> str:
        """The absolute path of the intent."""
        return str(self.choice.file.resolve())

    def plan(self) -> Plan:
        """Read the nodes and plan; keep the recording when one is wanted."""
        with self._recorded() as opener:
            reached = read_all(opener, self.nodes, self.choice.jobs)
        return plan(self.prepared, reached, self.choice.only)

    def same(self, made: Plan, planned: Planned | None) -> None:
        """Refuse (StalePlan) a plan that is not the one that was kept."""
        if planned is None:
            return
        digests = {name: change.digest for name, change in made.changes.items()}
        moved = sorted({n for n in digests.keys() | planned.digests.keys() if digests.get(n) != planned.digests.get(n)})
        if made.intent != planned.intent:
            raise StalePlan("the intent has changed since the plan was made", where=self.file, hint="plan again")
        if moved:
            raise StalePlan(
                f"{ranges(moved)} changed since the plan was made",
                where=made.fabric,
                hint="plan again, read the new difference, and apply that",
            )

    def keep_plan(self, made: Plan, out: Path) -> None:
        """Write the plan file, whole or not at all."""
        put_whole(out, json.dumps(document(made, self.file, self.choice.only, self.choice.limit), indent=2) + "\n")

    def apply(self, made: Plan, manner: Manner) -> Run:
        """Carry out a plan."""
        return applying.apply(self._conduct(manner), made, self.file, self.choice.only)

    def resume(self, run: str, manner: Manner) -> Run:
        """Carry on a run that ended early."""
        return applying.resume(self._conduct(manner), run, self.prepared.document.digest)

    def rollback(self, run: str, manner: Manner) -> Run:
        """Undo a run."""
        return applying.rollback(self._conduct(manner), run)

    def verify(self) -> Verification:
        """Check the nodes against the design; keep the recording when one is wanted."""
        with self._recorded() as opener:
            return verify(Look(self.prepared, tuple(self.nodes), opener, self.choice.jobs))

    @contextmanager
    def _recorded(self) -> Iterator[Opener]:
        """Give the way to the nodes, and keep afterwards what they answered when that is wanted."""
        if self.choice.record is None:
            yield self.opener
            return
        recorder = Recorder(self.opener, self.prepared.design.fabric)
        yield recorder
        save(recorder.recording(), self.choice.record, masked)

    def _conduct(self, manner: Manner) -> Conduct:
        return Conduct(self.prepared.design, self.opener, Journal(), self.say, manner, self.choice.jobs)


def site(choice: Choice, say: Say, ask: Ask) -> Site:
    """Make a choice good: load and judge the file, select nodes that are there, find the way to them."""
    prepared = sound(choice.file)
    return _made(choice, prepared, _there(prepared.design, select(prepared.design, choice.limit), say), say, ask)


def _made(choice: Choice, prepared: Prepared, names: tuple[str, ...], say: Say, ask: Ask) -> Site:
    nodes = manageable(prepared.design, names)
    if choice.against is not None:
        opener = recording(choice.against, prepared.design.fabric)
    else:
        opener = devices(ways(prepared.document, prepared.design, nodes, choice.access), say, ask)
    return Site(choice, prepared, nodes, opener, say)


def _there(design: Design, names: tuple[str, ...], say: Say) -> tuple[str, ...]:
    """Return these nodes without those that are planned, and say so in one line."""
    planned = in_state(design.network, "planned")
    out = [name for name in names if name in planned]
    if out:
        say(f"left out, as their state is planned: {ranges(out)}")
    return tuple(name for name in names if name not in planned)


def chosen(choice: Choice) -> tuple[Choice, Planned | None]:
    """Tell a plan file from an intent: return the choice that it was made with, and what it holds."""
    if choice.file.suffix != ".json":
        return choice, None
    try:
        planned = parse(choice.file.read_text(), str(choice.file))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(
            f"the plan file cannot be read: {why}", where=str(choice.file), hint="make one with `fabric plan --out`"
        ) from error
    limit = choice.limit or planned.limit
    return replace(choice, file=Path(planned.file), only=planned.only, limit=limit), planned


def of_run(run: str, choice: Choice, say: Say, ask: Ask) -> Site:
    """Return the site of an earlier run: all nodes of the file that the journal names.

    Nodes that are planned now are among them when that run changed them.
    """
    found = Journal().get(run)
    prepared = sound(found.file)
    changed = {node.node for node in found.nodes if node.state.changed}
    every = prepared.design.network.nodes.values()
    names = tuple(node.name for node in every if node.state != "planned" or node.name in changed)
    return _made(replace(choice, file=Path(found.file)), prepared, names, say, ask)

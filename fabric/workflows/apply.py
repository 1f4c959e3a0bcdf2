"""Apply and roll back: waves of devices under one run of the journal."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from fabric.changes.plan import Plan
from fabric.changes.reading import Reading
from fabric.changes.run import NodeState, Run, RunState
from fabric.design.model import Design
from fabric.errors import ApplyError, FabricError, StalePlan, UsageError
from fabric.results import CheckResult, ExitCode, Status
from fabric.transport.runner import run as run_all
from fabric.transport.session import Opener
from fabric.workflows.device import Ended, Held, Job, work
from fabric.workflows.gate import Gate, neighbourhood, unexplained
from fabric.workflows.interrupts import interruptible
from fabric.workflows.journal import Journal
from fabric.workflows.planning import Goal, goal, way_back
from fabric.workflows.reading import parse


@dataclass(frozen=True)
class Manner:
    """How carefully a run goes: the device's own timer (``10m``, ``90s``), seconds at the gate, what is let pass."""

    confirm: str = "10m"
    gate: float = 30.0
    canary: bool = False
    accept_existing: bool = False

    @property
    def seconds(self) -> int:
        """The timer in seconds; UsageError when ``confirm`` is not a time."""
        found = re.fullmatch(r"(\d+)(s|m)", self.confirm)
        if found is None or int(found[1]) == 0:
            raise UsageError(f"--confirm {self.confirm}: not a time", hint="write 10m or 90s")
        return int(found[1]) * (60 if found[2] == "m" else 1)


@dataclass(frozen=True)
class Conduct:
    """What a run needs: devices, journal, its manner, and someone to talk to (``say``)."""

    design: Design
    opener: Opener
    journal: Journal
    say: Callable[[str], None]
    manner: Manner
    jobs: int = 32
    cancel: threading.Event = field(default_factory=threading.Event)

    @property
    def gate(self) -> Gate:
        """The gate between waves."""
        return Gate(self.design, self.opener, self.jobs, self.manner.gate)

    def proceed(self) -> None:
        """Raise when the run is to stop between two steps."""
        if self.cancel.is_set():
            raise ApplyError("interrupted")


def apply(conduct: Conduct, plan: Plan, file: str, only: frozenset[str] = frozenset()) -> Run:
    """Carry out a plan as a new run and return it. Locked when another run of the fabric goes on."""
    before = conduct.gate.look(plan.changes) if plan.changes else ()
    _admit(conduct, plan, before)
    options = {"only": ",".join(sorted(only))}
    run = conduct.journal.begin("apply", plan.fabric, file, plan.intent, options)
    for number, wave in enumerate(plan.waves, 1):
        for node in wave:
            conduct.journal.enter(run, node, number, plan.changes[node].digest)
    for node, problem in plan.unreached.items():
        conduct.journal.enter(run, node, len(plan.waves) + 1, "")
        conduct.journal.note(run, node, NodeState.DEFERRED, f"not reached: {problem.message}")
    digests = {name: change.digest for name, change in plan.changes.items()}
    return _carry_on(
        conduct, run, plan.waves[:1] if conduct.manner.canary else plan.waves, _jobs(conduct, run, digests, only)
    )


def resume(conduct: Conduct, run: str, intent: str) -> Run:
    """Carry on a run that ended early; its intent must be the same (StalePlan)."""
    found = conduct.journal.get(run)
    if found.kind != "apply":
        raise ApplyError(f"run {run} is a {found.kind}; only an apply is resumed", hint="roll back again instead")
    if found.intent != intent:
        raise StalePlan(
            "the intent has changed since that run began", where=found.file, hint="plan and apply the new intent"
        )
    conduct.journal.resume(run)
    only = frozenset(filter(None, conduct.journal.options(run).get("only", "").split(",")))
    open_nodes = [n for n in found.nodes if n.state not in (NodeState.DONE, NodeState.EQUAL)]
    numbers = sorted({node.wave for node in open_nodes})
    waves = tuple(tuple(n.node for n in open_nodes if n.wave == number) for number in numbers)
    fresh = {node.node: "" for node in open_nodes}
    return _carry_on(conduct, run, waves, _jobs(conduct, run, fresh, only))


def rollback(conduct: Conduct, run: str) -> Run:
    """Undo a run: bring every node that it changed back to what was read before, in reverse order of waves."""
    found = conduct.journal.get(run)
    if found.state is RunState.RUNNING and found.alive:
        raise ApplyError(f"run {run} is still going on", hint="interrupt it first")
    kept = {n.node: conduct.journal.before(run, n.node) for n in found.nodes if n.state.changed}
    if not any(kept.values()):
        raise ApplyError(f"run {run} left nothing changed; there is nothing to undo")
    undo = conduct.journal.begin("rollback", found.fabric, found.file, found.intent, {"of": run})
    numbers = sorted({node.wave for node in found.nodes}, reverse=True)
    every = (tuple(n.node for n in found.nodes if n.wave == w and kept.get(n.node)) for w in numbers)
    waves = tuple(wave for wave in every if wave)
    jobs = {}
    for number, wave in enumerate(waves, 1):
        for name in wave:
            conduct.journal.enter(undo, name, number, "")
            jobs[name] = _job_back(conduct, undo, run, name)
    return _carry_on(conduct, undo, waves, jobs, gated=False)


def exit_code(run: Run) -> ExitCode:
    """Return how a command ends after this run."""
    states = {node.state for node in run.nodes}
    if run.state is RunState.INTERRUPTED:
        return ExitCode.INTERRUPTED
    if states <= {NodeState.DONE, NodeState.EQUAL}:
        return ExitCode.DONE
    partly = {NodeState.LOST, NodeState.FAILED, NodeState.DEFERRED, NodeState.DONE}
    if states & partly or run.state is RunState.DONE:
        return ExitCode.PARTIAL
    return ExitCode.DEVICE


def _admit(conduct: Conduct, plan: Plan, before: tuple[CheckResult, ...]) -> None:
    """List what fails already; ApplyError when no change of the plan explains it and it is not accepted."""
    failing = unexplained(before, plan, conduct.design)
    for result in failing:
        conduct.say(f"fails already: {result.check} {result.at}: {result.message}")
    if failing and not conduct.manner.accept_existing:
        raise ApplyError(
            f"{len(failing)} checks fail already, and this plan does not mend them",
            where=plan.fabric,
            hint="mend them first, or apply with --accept-existing",
        )


def _jobs(conduct: Conduct, run: str, digests: Mapping[str, str], only: frozenset[str]) -> Mapping[str, Job]:
    return {name: _job(conduct, run, name, digest, only) for name, digest in digests.items()}


def _job(conduct: Conduct, run: str, name: str, digest: str, only: frozenset[str]) -> Job:
    """Make the job that brings a node to the design."""
    node = conduct.design.network.nodes[name]

    def aim(reading: Reading) -> Goal:
        return goal(conduct.design, node, reading, only)

    return Job(run, node, aim, digest, conduct.manner.seconds)


def _job_back(conduct: Conduct, run: str, of: str, name: str) -> Job:
    """Make the job that brings a node back to what it was before the run ``of``."""
    node = conduct.design.network.nodes[name]
    before = conduct.journal.before(of, name)
    if before is None:
        raise ApplyError(f"run {of} kept nothing of {name}", hint="plan and apply instead")
    earlier = parse(node, before.outputs)

    def aim(_: Reading) -> Goal:
        return way_back(node, earlier, before.scope)

    return Job(run, node, aim, "", conduct.manner.seconds, takes_over=of)


def _carry_on(
    conduct: Conduct, run: str, waves: tuple[tuple[str, ...], ...], jobs: Mapping[str, Job], *, gated: bool = True
) -> Run:
    """Work through waves until one fails or a signal comes; the run is closed in the journal however it ends."""
    state = RunState.STOPPED
    try:
        with interruptible(conduct.cancel, conduct.say):
            if all(_wave(conduct, run, wave, jobs, gated=gated) for wave in _announced(conduct, waves)):
                state = RunState.DONE
    except KeyboardInterrupt:
        conduct.cancel.set()
    finally:
        conduct.journal.end(run, RunState.INTERRUPTED if conduct.cancel.is_set() else state)
    return conduct.journal.get(run)


def _announced(conduct: Conduct, waves: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, ...]]:
    for number, wave in enumerate(waves, 1):
        conduct.say(f"wave {number} of {len(waves)}: {', '.join(wave)}")
        yield wave


def _settle(conduct: Conduct, plan: Plan, run: Run) -> None:
    """Wait until new sessions and paths have come up, and name those that have not; it stops nothing any more.

    Only nodes are looked at that are, like all nodes beside them, known to be set as designed.
    """
    done = {node.node for node in run.nodes if node.state in (NodeState.DONE, NodeState.EQUAL)}
    known = done.union(plan.equal)
    settled = {name for name in done if neighbourhood(conduct.design, [name]) <= known}
    for result in conduct.gate.settle(settled) if settled else ():
        conduct.say(f"fails after the last wave: {result.check} {result.at}: {result.message}")


def _wave(conduct: Conduct, run: str, wave: tuple[str, ...], jobs: Mapping[str, Job], *, gated: bool) -> bool:
    """Change the nodes of a wave together; tell whether the next wave may go on."""
    before = conduct.gate.look(wave) if gated else ()
    results = run_all(
        lambda name: work(jobs[name], conduct.opener, conduct.journal, conduct.proceed),
        wave,
        conduct.jobs,
        cancel=conduct.cancel,
    )
    held = {name: got for name, got in results.items() if isinstance(got, Held)}
    ended = {name: got for name, got in results.items() if isinstance(got, Ended)}
    stopped = {name: got for name, got in results.items() if isinstance(got, FabricError)}
    for name, got in ended.items():
        _note(conduct, run, name, got)
    why = _why(stopped, ended)
    if not (why or conduct.cancel.is_set()) and gated and held:
        why = _gate(conduct, wave, held, before)
    if why or conduct.cancel.is_set():
        _take_back(conduct, run, held, why or "interrupted")
    else:
        _keep(conduct, run, held)
    if stopped and not conduct.cancel.is_set():
        raise next(iter(stopped.values()))
    return not why and not conduct.cancel.is_set()


def _why(stopped: Mapping[str, FabricError], ended: Mapping[str, Ended]) -> str:
    """Return what stops the run after the nodes of a wave were worked on, empty when nothing does."""
    fine = (NodeState.EQUAL, NodeState.DEFERRED)
    names = [*stopped, *(name for name, got in ended.items() if got.state not in fine)]
    return f"{', '.join(names)} of the same wave failed" if names else ""


def _gate(conduct: Conduct, wave: tuple[str, ...], held: Mapping[str, Held], before: tuple[CheckResult, ...]) -> str:
    """Wait at the gate; return what stops the run, empty when nothing does."""

    def hold() -> bool:
        for node in held.values():
            node.extend()
        return not conduct.cancel.is_set()

    if not any(result.status is Status.PASS for result in before):
        return ""
    worse = conduct.gate.wait(wave, before, hold)
    if conduct.cancel.is_set():
        return "interrupted"
    for result in worse:
        conduct.say(f"worked before the wave and fails now: {result.check} {result.at}: {result.message}")
    return f"{worse[0].check} fails at {worse[0].at} since the wave" if worse else ""


def _take_back(conduct: Conduct, run: str, held: Mapping[str, Held], why: str) -> None:
    undone = run_all(lambda name: held[name].undo(why), tuple(held), conduct.jobs)
    for name, got in undone.items():
        _note(conduct, run, name, got if isinstance(got, Ended) else Ended(NodeState.FAILED, got.message))


def _keep(conduct: Conduct, run: str, held: Mapping[str, Held]) -> None:
    kept = run_all(lambda name: held[name].keep(), tuple(held), conduct.jobs)
    for name, got in kept.items():
        _note(conduct, run, name, got if isinstance(got, Ended) else Ended(NodeState.LOST, got.message))


def _note(conduct: Conduct, run: str, name: str, ended: Ended) -> None:
    conduct.journal.note(run, name, ended.state, ended.message)
    conduct.say(f"  {name}: {ended.state.value}{f': {ended.message}' if ended.message else ''}")

"""Apply, resume, roll back: what a run is made of, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping

from fabric.changes.plan import Plan
from fabric.changes.reading import Reading
from fabric.changes.run import NodeState, Run, RunState
from fabric.errors import ApplyError, Locked, StalePlan, UsageError
from fabric.ranges import count, ranges
from fabric.results import CheckResult, ExitCode
from fabric.workflows.conduct import Conduct, carry_on
from fabric.workflows.device import Job
from fabric.workflows.gate import neighbourhood, unexplained
from fabric.workflows.planning import Goal, goal, way_back
from fabric.workflows.reading import parse


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
    waves = plan.waves[:1] if conduct.manner.canary else plan.waves
    ended = carry_on(conduct, run, waves, _jobs(conduct, run, digests, only))
    if ended.state is RunState.DONE and not only:
        _settle(conduct, plan, ended)
    return ended


def resume(conduct: Conduct, run: str, intent: str) -> Run:
    """Carry on an apply that ended early (UsageError for any other run); its intent must be the same (StalePlan)."""
    found = conduct.journal.get(run)
    if found.kind != "apply":
        raise UsageError(f"run {run} is a {found.kind}; only an apply is resumed", hint="roll back again instead")
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
    return carry_on(conduct, run, waves, _jobs(conduct, run, fresh, only))


def rollback(conduct: Conduct, run: str) -> Run:
    """Undo a run: bring every node that it changed back to what was read before, in reverse order of waves.

    Locked while the run goes on, UsageError when it left nothing changed.
    """
    found = conduct.journal.get(run)
    if found.state is RunState.RUNNING and found.alive:
        raise Locked(f"run {run} is still going on", where=found.fabric, hint="interrupt it first")
    kept = {n.node: conduct.journal.before(run, n.node) for n in found.nodes if n.state.changed}
    if not any(kept.values()):
        raise UsageError(f"run {run} left nothing changed; there is nothing to undo", hint="`fabric runs` lists them")
    if gone := sorted(kept.keys() - conduct.design.network.nodes.keys()):
        raise ApplyError(
            f"the file no longer has {ranges(gone)}, which run {run} changed",
            where=found.file,
            hint="roll back with the file as it was then",
        )
    undo = conduct.journal.begin("rollback", found.fabric, found.file, found.intent, {"of": run})
    numbers = sorted({node.wave for node in found.nodes}, reverse=True)
    every = (tuple(n.node for n in found.nodes if n.wave == w and kept.get(n.node)) for w in numbers)
    waves = tuple(wave for wave in every if wave)
    jobs = {}
    for number, wave in enumerate(waves, 1):
        for name in wave:
            conduct.journal.enter(undo, name, number, "")
            jobs[name] = _job_back(conduct, undo, run, name)
    return carry_on(conduct, undo, waves, jobs, gated=False)


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
            f"{count(len(failing), 'check result')} failed already, and this plan does not mend that",
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


def _settle(conduct: Conduct, plan: Plan, run: Run) -> None:
    """Wait until new sessions and paths have come up, and name those that have not; it stops nothing any more.

    Only nodes are looked at that are, like all nodes beside them, known to be set as designed.
    """
    done = {node.node for node in run.nodes if node.state in (NodeState.DONE, NodeState.EQUAL)}
    known = done.union(plan.equal)
    settled = {name for name in done if neighbourhood(conduct.design, [name]) <= known}
    for result in conduct.gate.settle(settled) if settled else ():
        conduct.say(f"fails after the last wave: {result.check} {result.at}: {result.message}")

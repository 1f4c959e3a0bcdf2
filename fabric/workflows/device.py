"""One device: lock, save, arm a timer, write, read again, and hold until the gate has spoken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fabric.changes.change import Change
from fabric.changes.reading import Reading
from fabric.changes.run import NodeState
from fabric.changes.steps import Step
from fabric.changes.wording import grouped
from fabric.errors import ApplyError, FabricError, Locked, RejectedLine, RollbackFailed, StalePlan, TransportError
from fabric.platforms.contract import System
from fabric.platforms.lookup import system
from fabric.settings.network import Node
from fabric.transport.session import Opener
from fabric.workflows.executor import Device, carry_out, execute, lost
from fabric.workflows.journal import Before, Journal
from fabric.workflows.planning import Goal, change, difference, way_back
from fabric.workflows.reading import parse, read

RECONNECT = 20.0


@dataclass(frozen=True)
class Job:
    """The part of a run on one node.

    ``aim`` makes the goal from a fresh reading; ``digest`` is that of the planned change (empty: any); ``seconds`` is
    the timer's; ``takes_over`` names an earlier run, whose timer and lock on the node are released first.
    """

    run: str
    node: Node
    aim: Callable[[Reading], Goal]
    digest: str
    seconds: int
    takes_over: str = ""

    @property
    def system(self) -> System:
        """What the node runs."""
        return system(self.node.kind, self.node.system)


@dataclass(frozen=True)
class Ended:
    """A node on which there is nothing left to do or to hold."""

    state: NodeState
    message: str = ""


@dataclass(frozen=True)
class Held:
    """A node that is written, read again and found right; its timer is armed until `keep` or `undo`."""

    job: Job
    device: Device
    before: Reading
    aim: Goal

    def extend(self) -> None:
        """Push the timer's deadline out; a node that does not answer is found out by the gate."""
        arm = self.job.system.guard.arm(self.job.run, (), self.job.seconds)
        try:
            self.device.run(arm.extend)
        except TransportError:
            return

    def keep(self) -> Ended:
        """Disarm the timer and let go of the node."""
        try:
            carry_out(self.job.system.guard.confirm(self.job.run), self.device)
            _let_go(self.job, self.device)
        except TransportError as error:
            self.device.close()
            return Ended(NodeState.LOST, f"written, but not confirmed: {error.message}")
        return Ended(NodeState.DONE)

    def undo(self, why: str) -> Ended:
        """Take the change back and let go of the node."""
        return _undo(self.job, self.device, self.before, self.aim, ApplyError(why))


def work(job: Job, opener: Opener, journal: Journal, proceed: Callable[[], None]) -> Held | Ended:
    """Change one node and hold it. Locked and StalePlan are raised: they stop the run before this node is touched."""
    try:
        device = Device(job.node.name, opener)
    except TransportError as error:
        return Ended(NodeState.DEFERRED, f"not reached: {error.message}")
    try:
        _lock(job, device)
        kept = _kept(job, device, journal)
        made = _planned(job, device)
    except TransportError as error:
        device.close()
        return Ended(NodeState.DEFERRED, f"lost before its first write: {error.message}")
    except Locked:
        device.close()
        raise
    except FabricError:
        _let_go(job, device)
        raise
    if made is None:
        _let_go(job, device)
        # Written before the run was killed: equal now, and still this run's doing, which a rollback must find.
        return Ended(NodeState.EQUAL if kept is None else NodeState.DONE)
    return _write(job, device, journal, kept or Before(made.reading.outputs, made.aim.scope, made.undo), made, proceed)


def _lock(job: Job, device: Device) -> None:
    if job.takes_over:
        carry_out(job.system.guard.confirm(job.takes_over), device)
        device.run(job.system.guard.unlock(job.takes_over))
    output = device.session.run(job.system.guard.lock(job.run))
    if not output.ok:
        holder = output.text.strip() or output.error.strip()
        raise Locked(
            f"locked: {holder}",
            where=job.node.name,
            hint="if that run was killed: fabric apply --resume RUN, or fabric rollback RUN",
        )


def _kept(job: Job, device: Device, journal: Journal) -> Before | None:
    """Return what is kept of the node when this run wrote to it already (it is being resumed), and stop its timer."""
    kept = journal.before(job.run, job.node.name)
    if kept is not None:
        carry_out(job.system.guard.confirm(job.run), device)
    return kept


def _reading(job: Job, device: Device) -> Reading:
    return read(device.session, job.node)


@dataclass(frozen=True)
class _Planned:
    reading: Reading
    aim: Goal
    change: Change

    @property
    def undo(self) -> tuple[Step, ...]:
        """The steps that take the change back."""
        return self.change.steps.undo


def _planned(job: Job, device: Device) -> _Planned | None:
    """Read afresh and make the change; ``None`` when there is none, StalePlan when it is not the planned one."""
    reading = _reading(job, device)
    aim = job.aim(reading)
    made = change(job.node, reading, aim)
    if not made.delta:
        return None
    if job.digest and made.digest != job.digest:
        raise StalePlan(
            "the device has changed since the plan was made",
            where=job.node.name,
            hint="plan again, read the new difference, and apply that",
        )
    return _Planned(reading, aim, made)


def _write(  # noqa: PLR0913, PLR0917  # one call, the six things that a write needs
    job: Job, device: Device, journal: Journal, kept: Before, planned: _Planned, proceed: Callable[[], None]
) -> Held | Ended:
    """Write under the timer; what the timer would do, and what an undo goes back to, is from before the run."""
    guard, aim = job.system.guard, planned.aim
    journal.keep(job.run, job.node.name, kept)
    before = parse(job.node, kept.outputs)
    journal.note(job.run, job.node.name, NodeState.WRITING)
    steps: tuple[Step, ...] = (
        guard.arm(job.run, kept.undo, job.seconds),
        *planned.change.steps.do,
        guard.remember(aim.remember),
    )
    try:
        execute(device, steps, proceed)
        _took(job, device, aim)
    except FabricError as error:
        return _undo(job, device, before, aim, error)
    journal.note(job.run, job.node.name, NodeState.WRITTEN)
    return Held(job, device, before, aim)


def _took(job: Job, device: Device, aim: Goal) -> None:
    """Read again; ApplyError when the settings are not as wanted."""
    delta = difference(job.node, _reading(job, device), aim)
    if delta:
        left = "\n  ".join(f"{facet} {keys}: {said}" for facet, keys, said in grouped(delta.rows))
        raise ApplyError(
            f"the device took every step and still differs:\n  {left}",
            where=job.node.name,
            hint="something on the device sets these values too; find it before applying again",
        )


def _undo(job: Job, device: Device, before: Reading, aim: Goal, cause: FabricError) -> Ended:
    """Bring a node back to what it was; first by the reverse change, else by the way of its timer."""
    state = NodeState.REFUSED if isinstance(cause, RejectedLine) else NodeState.UNDONE
    try:
        if isinstance(cause, TransportError) and lost(cause):
            device.reconnect(RECONNECT)
        try:
            _reverse(job, device, before, aim)
        except FabricError:
            carry_out(job.system.guard.restore(job.run), device)
            _check_back(job, device, before, aim)
        carry_out(job.system.guard.confirm(job.run), device)
        _let_go(job, device)
    except FabricError as error:
        device.close()
        if isinstance(error, TransportError) and lost(error):
            words = f"then not reached ({error.message}): its own timer restores it within {job.seconds} s"
            return Ended(NodeState.LOST, f"{cause.message}; {words}")
        return Ended(NodeState.FAILED, f"{cause.message}; and the undo failed: {error.message}")
    return Ended(state, f"{cause.message} (undone)")


def _reverse(job: Job, device: Device, before: Reading, aim: Goal) -> None:
    back = way_back(job.node, before, aim.scope)
    execute(device, change(job.node, _reading(job, device), back).steps.do, lambda: None)
    _check_back(job, device, before, aim)


def _check_back(job: Job, device: Device, before: Reading, aim: Goal) -> None:
    delta = difference(job.node, _reading(job, device), way_back(job.node, before, aim.scope))
    if delta:
        left = "; ".join(f"{facet} {keys}: {said}" for facet, keys, said in grouped(delta.rows))
        raise RollbackFailed(f"not back to what it was: {left}", where=job.node.name)


def _let_go(job: Job, device: Device) -> None:
    device.session.run(job.system.guard.unlock(job.run))
    device.close()

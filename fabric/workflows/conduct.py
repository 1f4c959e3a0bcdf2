"""Conduct: waves of devices under one run of the journal, each behind its gate, until one fails or a signal comes."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fabric.changes.run import NodeState, Run, RunState
from fabric.design.model import Design
from fabric.errors import ApplyError, FabricError, UsageError
from fabric.ranges import ranges
from fabric.results import CheckResult, Status
from fabric.transport.runner import run as run_all
from fabric.transport.session import Opener
from fabric.workflows.device import Ended, Held, Job, work
from fabric.workflows.gate import Gate
from fabric.workflows.interrupts import interruptible
from fabric.workflows.journal import Journal


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

    @cached_property
    def gate(self) -> Gate:
        """The gate between waves; one for the whole run."""
        return Gate(self.design, self.opener, self.jobs, self.manner.gate)

    def proceed(self) -> None:
        """Raise when the run is to stop between two steps."""
        if self.cancel.is_set():
            raise ApplyError("interrupted")


def carry_on(
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
        conduct.say(f"wave {number} of {len(waves)}: {ranges(wave)}")
        yield wave


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
    return f"{ranges(names)} of the same wave failed" if names else ""


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

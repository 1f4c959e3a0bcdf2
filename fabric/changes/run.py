"""Run: one apply or rollback, as the journal keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class RunState(Enum):
    """How a run stands. ``RUNNING`` with a dead process is a run that was killed."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"


class NodeState(Enum):
    """How a node of a run stands."""

    PENDING = "pending"
    WRITING = "writing"
    WRITTEN = "written"
    DONE = "done"
    EQUAL = "equal"
    UNDONE = "undone"
    DEFERRED = "deferred"
    REFUSED = "refused"
    LOST = "lost"
    FAILED = "failed"

    @property
    def changed(self) -> bool:
        """Tell whether the node may stand otherwise than before the run."""
        return self in _CHANGED


_CHANGED = frozenset({NodeState.WRITING, NodeState.WRITTEN, NodeState.DONE, NodeState.LOST, NodeState.FAILED})


@dataclass(frozen=True, slots=True)
class NodeRun:
    """One node of a run: the wave it is in (from 1), its state, and what there is to say."""

    node: str
    wave: int
    state: NodeState
    message: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A run: ``kind`` is ``apply`` or ``rollback``; times in ISO 8601, UTC; ``file`` the intent, ``intent`` its digest.

    ``alive`` tells whether the process that carries it out still lives.
    """

    id: str
    kind: str
    fabric: str
    file: str
    intent: str
    state: RunState
    started: str
    ended: str
    by: str
    alive: bool
    nodes: tuple[NodeRun, ...] = ()

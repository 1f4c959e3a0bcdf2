"""Words of verdicts, states and impacts, and how each is marked, the same in tables, pages and drawings."""

from __future__ import annotations

from fabric.changes.run import NodeState
from fabric.changes.steps import Impact
from fabric.report.drawing_model import Mark
from fabric.results import Severity, Status

WORDS = {
    Severity.ERROR.value: Mark.ERROR,
    Severity.WARNING.value: Mark.WARNING,
    Severity.NOTE.value: Mark.NOTE,
    Status.PASS.value: Mark.OK,
    Status.FAIL.value: Mark.ERROR,
    Status.SKIP.value: Mark.SKIP,
    NodeState.DONE.value: Mark.OK,
    NodeState.EQUAL.value: Mark.OK,
    NodeState.REFUSED.value: Mark.ERROR,
    NodeState.LOST.value: Mark.ERROR,
    NodeState.FAILED.value: Mark.ERROR,
    NodeState.DEFERRED.value: Mark.WARNING,
    NodeState.UNDONE.value: Mark.WARNING,
    Impact.HITLESS.word: Mark.OK,
    Impact.PFC_GAP.word: Mark.WARNING,
    Impact.DROP.word: Mark.ERROR,
    Impact.FLAP.word: Mark.ERROR,
    Impact.RELOAD.word: Mark.ERROR,
    "not reached": Mark.ERROR,
    "killed": Mark.ERROR,
    "planned": Mark.PLANNED,
    "maintenance": Mark.MAINTENANCE,
}

"""A run in rows of texts, the same for every format that people read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fabric.changes.run import Run, RunState
from fabric.ranges import ranges

NODES = ("wave", "node", "state", "message")
RUNS = ("run", "kind", "fabric", "state", "started", "ended", "by", "nodes")


def run_row(run: Run) -> tuple[str, ...]:
    """Return what a run was, in the columns of `RUNS`."""
    return (run.id, run.kind, run.fabric, state_of(run), run.started, run.ended, run.by, counts_of(run))


def node_rows(run: Run) -> Iterator[tuple[str, ...]]:
    """Yield the nodes of a run, those of one wave with the same state and message in one row."""
    groups: dict[tuple[int, str, str], list[str]] = {}
    for node in run.nodes:
        groups.setdefault((node.wave, node.state.value, node.message), []).append(node.node)
    for (wave, state, message), names in groups.items():
        yield str(wave), ranges(names), state, message


def state_of(run: Run) -> str:
    """Say how a run stands; one whose process died was killed."""
    return "killed" if run.state is RunState.RUNNING and not run.alive else run.state.value


def counts_of(run: Run) -> str:
    """Say how many nodes of a run are in which state."""
    return ", ".join(f"{count} {state}" for state, count in Counter(node.state.value for node in run.nodes).items())

"""Runner: the same task on many nodes, one after the other or in threads, a result or an error per node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from typing import Protocol, TypeVar

from fabric.errors import FabricError, TransportError

T = TypeVar("T")

# Measured: more threads than this gain little, and fewer leave the client waiting on slow nodes.
JOBS = 32


class Watcher(Protocol):
    """Somebody who watches nodes being worked on, such as a progress bar. Called from the threads of the nodes."""

    def begins(self, nodes: Sequence[str]) -> None:
        """Hear that work on these nodes begins."""

    def starts(self, node: str) -> None:
        """Hear that it is a node's turn."""

    def ends(self, node: str) -> None:
        """Hear that the work on a node is done, well or not."""

    def over(self) -> None:
        """Hear that there is nothing left to do."""


# Who watches; nobody unless a command says so. A context variable, for watching is no part of any work.
WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def run(
    task: Callable[[str], T], nodes: Sequence[str], jobs: int = JOBS, cancel: Event | None = None
) -> Mapping[str, T | FabricError]:
    """Run ``task(node)`` for every node, ``jobs`` at a time (1: one after the other, in this thread).

    Errors are results. Once ``cancel`` is set no further task starts; those not started answer a TransportError.
    KeyboardInterrupt sets ``cancel``, lets running tasks end (they may watch it too), and goes on to the caller.
    """
    stop = cancel or Event()
    watcher = WATCHER.get()
    if watcher is None:
        return _run(task, nodes, jobs, stop)
    watcher.begins(nodes)
    try:
        return _run(_watched(task, watcher), nodes, jobs, stop)
    finally:
        watcher.over()


def _watched(task: Callable[[str], T], watcher: Watcher) -> Callable[[str], T]:
    def told(node: str) -> T:
        watcher.starts(node)
        try:
            return task(node)
        finally:
            watcher.ends(node)

    return told


def _run(task: Callable[[str], T], nodes: Sequence[str], jobs: int, stop: Event) -> Mapping[str, T | FabricError]:
    if jobs <= 1 or len(nodes) <= 1:
        with _stopped_by_interrupt(stop):
            return {node: _one(task, node, stop) for node in nodes}
    # In this order: leaving the pool waits for the tasks, so they must be told to stop before.
    with ThreadPoolExecutor(min(jobs, len(nodes)), thread_name_prefix="node") as pool, _stopped_by_interrupt(stop):
        futures: dict[str, Future[T | FabricError]] = {node: pool.submit(_one, task, node, stop) for node in nodes}
        wait(futures.values())
    return {node: future.result() for node, future in futures.items()}


@contextmanager
def _stopped_by_interrupt(stop: Event) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        stop.set()
        raise


def _one(task: Callable[[str], T], node: str, stop: Event) -> T | FabricError:
    if stop.is_set():
        return TransportError(f"{node}: not started, because the run was stopped", where=node, hint="run it again")
    try:
        return task(node)
    except FabricError as error:
        return error
    except Exception as error:  # noqa: BLE001 - the border of the device runner: one node's bug must not stop the others
        return bug(node, error)


def bug(node: str, error: Exception) -> FabricError:
    """Return the error that says that this program is wrong, with ``error`` as its cause."""
    found = FabricError(
        f"{node}: a bug in fabric stopped the work on this node: {type(error).__name__}: {error}",
        where=node,
        hint="please report it with the output of the same command with --debug",
    )
    found.__cause__ = error
    return found
